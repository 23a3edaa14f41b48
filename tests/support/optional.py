"""What tests can do without: programs that may not be installed, databases that extras open."""

#: Why tests are skipped, with what they are, and the program that they need.
NO_CHROMIUM = "no Chromium is installed"
PROGRAMS = {NO_CHROMIUM: ("BROWSER TESTS", "Chromium")}

#: The databases that can keep a book, each with the fixture that makes an empty one of them, and
#: returns its address; a book in a file needs none.
ENGINES = {"SQLite": ""}
