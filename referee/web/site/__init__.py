"""The pages outside of sheets: home, rules, the referee, evenings."""
