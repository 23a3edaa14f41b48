"""Append-only storage of entries; knows no game.

`store`, `links` and `evenings` are its interface, with SQL for any `engine`; the one in `databases`
opens a book by its place. `sqlite`, `migrations`, `disk` and `backup` are of a book in a file.
"""
