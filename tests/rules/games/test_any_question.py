"""Every judge answers whatever it is asked, or says why it cannot."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.rules.cards.cards import RANKS
from referee.rules.core.ruling import RefereeError
from referee.rules.documents import ruling_document
from referee.rules.registry import GAMES

JUDGES = [(slug, judge) for slug, game in GAMES.items() for judge in game.judges]
cards = st.one_of(
    st.lists(st.sampled_from([*RANKS, "T", "*", "9R", "8D", "KS", "|"]), max_size=8).map(" ".join),
    st.lists(st.sampled_from(RANKS), min_size=2, max_size=5).map(" ".join),
    st.text(max_size=8),
)
numbers = st.integers(-5, 250)
names = st.sampled_from(["Ann", "Ben", "Cat", ""])
by_name = st.lists(st.tuples(names, st.one_of(cards, numbers.map(str))), max_size=4).map(
    lambda pairs: ";".join(f"{name}:{value}" for name, value in pairs)
)
values = st.one_of(cards, by_name, numbers, st.booleans(), st.none(), st.lists(cards, max_size=2))


@pytest.mark.parametrize(("slug", "name"), JUDGES, ids=lambda word: word)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_any_question_is_answered_or_refused(slug: str, name: str, data: st.DataObject) -> None:
    """Whatever its fields hold: a ruling that can be shown, or faults in words."""
    judge = GAMES[slug].judges[name]
    fields: dict[str, Any] = data.draw(
        st.fixed_dictionaries({}, optional=dict.fromkeys(judge.question.__struct_fields__, values))
    )
    try:
        ruling = judge.answer(fields)
        if not ruling.legal:
            judge.advise(fields)
    except RefereeError as error:
        assert error.faults
        assert all(fault.message for fault in error.faults)
    else:
        assert all(map(str, ruling.says))
        assert json.dumps(ruling_document(ruling))
