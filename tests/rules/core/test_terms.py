"""What sentences call a deal, and what scores are counted in."""

import pytest

from referee.rules.core import terms
from referee.rules.core.terms import Unit, amount, numbered, of_deal


@pytest.mark.parametrize("sentence", terms._OF_A_DEAL)
def test_sentences_differ_only_in_the_word_for_a_deal(sentence: str) -> None:
    """Deal, round or hand, in the plural as well."""
    one, *others = terms._OF_A_DEAL[sentence]
    for word, other in zip(("round", "hand"), others, strict=True):
        assert word in other.template.lower()
        theirs = [text.replace(word, "deal").replace(word.capitalize(), "Deal")
                  for text in (other.template, other.plural)]  # fmt: skip
        assert theirs == [one.template, one.plural]


@pytest.mark.parametrize("unit", ["point", "counter", "chip"])
def test_amounts_with_their_unit(unit: Unit) -> None:
    """Points, counters, or chips."""
    assert [str(amount(unit, 1)), str(amount(unit, 12))] == [f"1 {unit}", f"12 {unit}s"]
    charted = of_deal("round", "after each", units=terms.UNIT_HEADS[unit])
    assert str(charted) == f"{unit.capitalize()}s after each round"


def test_a_deal_by_its_number() -> None:
    """With the number of the last one, if that is fixed."""
    assert str(numbered("hand", 2)) == "Hand 2"
    assert str(numbered("round", 2, last=5)) == "Round 2 of 5"
