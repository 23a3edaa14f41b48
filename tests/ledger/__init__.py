"""What the ledger promises."""
