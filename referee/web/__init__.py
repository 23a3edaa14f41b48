"""The pages: a Flask app over the book of sheets and the judges; `app` puts it together."""
