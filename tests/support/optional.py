"""What tests can do without: programs that may be missing, and databases of extras."""

#: The reason for skipping tests, by what they test and the program that they need.
NO_CHROMIUM = "no Chromium is installed"
PROGRAMS = {NO_CHROMIUM: ("BROWSER TESTS", "Chromium")}

#: The kinds of databases for a book, each with the fixture that makes an empty one and returns its
#: address; a file needs none.
ENGINES = {"SQLite": ""}
