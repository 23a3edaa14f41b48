"""The score pad as a file for a spreadsheet, from the page behind "More"."""

from tests.support.phone import Phone


def test_whoever_may_look_can_save_the_pad(host: Phone) -> None:
    """The link stands on the page, and the file is the same for every role."""
    host.record({"action": "adjust", "player": "Ann", "points": 5, "reason": "=luck"}, 0)
    files = []
    for phone in (host, host.other("score"), host.other("view")):
        assert f'href="/s/{phone.token}/standings.csv"' in phone.get("/more").text
        answer = phone.get("/standings.csv")
        assert answer.status_code == 200
        assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
        assert answer.headers["Content-Disposition"].startswith("attachment; filename=multiple-9-")
        files.append(answer.data)
    assert files == [files[0]] * 3
    lines = files[0].decode("utf-8-sig").splitlines()
    assert lines[0] == 'Deal,Ann,Ben,Cat,"Ann, total","Ben, total","Cat, total",Details'
    assert lines[2:] == [",5,,,5,0,0,Ann: =luck"]
