"""Fuzzing of sheet files, histories, databases, requests and forms.

No input causes a traceback, a 500 or a hang, and nothing unsound is accepted.
"""
