"""Append-only storage of entries; knows no game.

`store`, `links` and `evenings` are its interface, with SQL that another engine could share; `chain`
and `errors` depend on no engine. The rest is about the SQLite file: `file` (opening, the log),
`tables`, `privacy`, `integrity`, `backup` and `backup_folder`.
"""
