"""What the routes of clubs declare to the gateway."""

from flask import Flask

from tests.web.serving.test_gateway import kinds_of_routes

#: Every route that says something. A new one that goes through whole sheets belongs here.
KINDS = {
    "GET /c/<token>": "long",
    "GET /c/<token>/chart": "long",
    "GET /c/<token>/games": "long",
    "GET /c/<token>/head-to-head": "long",
    "GET /c/<token>/people": "long",
    "GET /c/<token>/player": "long",
    "GET /c/<token>/records": "long",
    "GET /c/<token>/room": "long",
    "GET /c/<token>/settle": "long",
    "GET /c/<token>/sheets/<int(max=999999999):number>/out": "long",
    "POST /c/<token>/merge": "long",
    "POST /c/<token>/paid": "long",
    "POST /c/<token>/sheets/<int(max=999999999):number>/out": "long",
    "GET /s/<token>/club": "long",
    "POST /s/<token>/club": "long",
    "POST /s/<token>/club/undo": "long",
    "GET /s/<token>/room": "long",
    "GET /e/<token>/room": "long",
}


def test_every_route_is_found_with_what_it_says(app: Flask) -> None:
    assert kinds_of_routes(app, "referee.extras.clubs.") == (KINDS, set())
