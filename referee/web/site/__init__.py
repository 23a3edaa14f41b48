"""The pages beside the sheets: home, rules, the referee, evenings."""
