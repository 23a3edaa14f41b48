"""The program with templates cached for the whole test run.

Compiling them takes a second of a core, and the tests start hundreds of apps and programs.
"""

import os

from flask import Flask
from jinja2 import FileSystemBytecodeCache

from referee.cli import main

FOLDER = "REFEREE_TEST_TEMPLATES"  # environment variable with the folder of the cache


def compile_templates_once() -> None:
    """Make all apps of this process cache compiled templates in this run’s folder."""
    if FOLDER in os.environ:
        Flask.jinja_options = {"bytecode_cache": FileSystemBytecodeCache(os.environ[FOLDER])}


if __name__ == "__main__":
    compile_templates_once()
    main(prog_name="referee")
