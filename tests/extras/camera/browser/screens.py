"""The camera's screens, to look at."""

from tests.browser.screens import Screen

SCREENS = (Screen("photo", "/referee/multiple-9/discard?hand=K&tap=cards:photo"),)
