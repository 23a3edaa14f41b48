"""Append-only storage of entries; knows no game.

`store`, `links` and `evenings` are its interface, with SQL that another engine could share; `chain`
and `errors` depend on no engine. The rest is SQLite: the `engine` under the ledger and its
`tables`, the files on the `disk`, `integrity`, and `backup`.
"""
