"""The heading under which the faults of a club stand."""

from referee.rules.text import say

PART = {"club": say("the club")}
