"""The program, with templates that this run of the tests has compiled already.

Compiling them takes a second of a core, and the tests start hundreds of apps and programs.
"""

import os

from flask import Flask
from jinja2 import FileSystemBytecodeCache

from referee.cli import main

FOLDER = "REFEREE_TEST_TEMPLATES"  # names where they lie, in the environment of all processes


def compile_templates_once() -> None:
    """Let all apps of this process have their templates from the folder of this run."""
    if FOLDER in os.environ:
        Flask.jinja_options = {"bytecode_cache": FileSystemBytecodeCache(os.environ[FOLDER])}


if __name__ == "__main__":
    compile_templates_once()
    main(prog_name="referee")
