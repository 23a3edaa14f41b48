"""Append-only storage of entries; knows no game.

`store`, `links` and `evenings` are its interface. Their SQL runs on any `engine`; `databases` opens
the one for a book's place. `sqlite`, `migrations`, `disk` and `backup` are for a book in a file.
"""
