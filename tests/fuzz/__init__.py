"""Files, histories, databases, requests and forms that nobody would think of.

Whatever is sent: no traceback, no 500, no hang, nothing accepted that is unsound.
"""
