"""What can be counted from the sheets of a lasting group: people, figures, records, ratings."""
