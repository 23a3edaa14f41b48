"""The base doesn't name PostgreSQL, so that it can be deleted."""

import re

from tests.support.extra_names import lines_naming, texts_of_the_base

NAMES = re.compile(r"postgres|psycopg|pgbouncer|\bpg_|\bpsql\b", re.IGNORECASE)


def test_the_base_names_no_postgresql() -> None:
    assert lines_naming(NAMES, texts_of_the_base()) == []


def test_a_name_is_found() -> None:
    """Also in an address, and names of its tools."""
    texts = [("a.py", "postgres://ann@a.test\nPostgreSQL\npg_dump"), ("psycopg.txt", "\n")]
    assert len(lines_naming(NAMES, texts)) == 4
