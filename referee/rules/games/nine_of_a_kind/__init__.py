"""9 of a Kind: trade until nine cards are of one suit or one rank (`docs/rules.md` §3)."""

from referee.rules.games.nine_of_a_kind.game import GAME as GAME
