"""The web pages: a Flask app over the book of sheets and the judges, assembled in `app`."""
