"""Card keys with script, by the table of cases that forms without script are tested with, too."""

from playwright.sync_api import Page

from referee.web.answers.assets import FORMS_SCRIPT
from tests.support.key_cases import CASES
from tests.support.server import Server

#: The results of the script for all cases, in order.
ANSWERS = """async ([at, cases]) => {
  const { afterKey, inColumns, inRows, without } = await import(at);
  const onEveryPage = document.querySelector("script[type=module]").src;
  const { asFilledIn, asPrinted, inOurLetters } = await import(onEveryPage);
  const cards = ({ text, across }) => inRows(text, across || 0);
  const written = (left, { across }) => inColumns(left, across || 0);
  return {
    lies: cases.lies.map(cards),
    key: cases.key.map((one) => written(afterKey(cards(one), one.key, one.across), one)),
    reads: cases.letters.map(({ text, said }) => inOurLetters(text, said)),
    writes: cases.letters.map(({ reads, said }) => asPrinted(reads, said.split(":")[0])),
    filled: cases.filled.map(({ cards, said }) => asFilledIn(cards, said)),
    out: cases.out.map((one) => written(without(cards(one), one.place, one.across || 0), one)),
  };
}"""


def test_every_case_with_script(server: Server, page: Page) -> None:
    """Cards row by row, after a key, with one removed, and with other letters."""
    page.goto(server.address)
    answers = page.evaluate(ANSWERS, [f"/static/{FORMS_SCRIPT}", CASES])
    assert answers["lies"] == [case["cards"] for case in CASES["lies"]]
    for way in ("reads", "writes"):
        assert answers[way] == [case[way] for case in CASES["letters"]]
    for kind in ("key", "filled", "out"):
        for case, answer in zip(CASES[kind], answers[kind], strict=True):
            assert answer == case["then"], case
