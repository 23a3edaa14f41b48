"""What a phone calls itself: in a cookie, and beside each row that the phone writes."""

from flask import Blueprint, request
from werkzeug.wrappers import Response as AnyResponse

from referee.rules.core.seating import name_faults
from referee.web.answers.security import keep_cookie
from referee.web.context import PHONE_COOKIE, onward, sheet_of, writer
from referee.web.sheet.page import more_page

blueprint = Blueprint("phones", __name__, url_prefix="/s/<token>/phone")


@blueprint.post("")
def rename(token: str) -> tuple[str, int] | AnyResponse:
    """Give the phone that asks another name, or none; what it wrote before keeps the old one."""
    writer(token)
    name = request.form.get("phone", "").strip()
    faults = list(name_faults([name])) if name else []
    if faults:
        page = more_page(token, sheet_of(token), phone=name, phone_faults=faults)
        return page, 422
    answer = onward("sheet.more", token=token)
    keep_cookie(answer, PHONE_COOKIE, name)
    return answer
