"""Cards and what they form: packs, hands, runs, groups that add up to nines."""
