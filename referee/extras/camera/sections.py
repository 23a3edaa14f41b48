"""The heading under which programs are told of photos that can't be read."""

from referee.rules.text import say

PART = {"photo": say("cards from a photo")}
