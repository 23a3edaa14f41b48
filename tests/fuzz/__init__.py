"""Fuzzing: inputs that nobody would think of, made by changing those that once did something new.

`python -m tests.fuzz --minutes 10 --corpus FOLDER` spends so long on each part. What an input must
not do: end in a traceback, be answered 500, hang, or be accepted and turn out to be unsound.
"""
