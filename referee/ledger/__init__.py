"""Keeps entries for ever, append-only, and knows no game.

`store`, `links` and `evenings` are its face, with the SQL that another engine would share; `chain`
and `errors` belong to no engine. The rest is about a SQLite file: `file` (opening, the log),
`tables`, `privacy`, `integrity`, `backup` and `backup_folder`.
"""
