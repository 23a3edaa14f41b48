"""The camera's settings and limits; `web.PHOTO_SECONDS` limits the time for an upload."""

from typing import Annotated

from msgspec import Meta, Struct

#: The largest photo that is read, 20 MB; `docs/camera.md` names it, and the proxies in
#: `docs/deploy` have to let six times as much through (`web.LARGE_PHOTO`).
PHOTO_BYTES = 20_000_000
PHOTO_PIXELS = 60_000_000
READING_SECONDS = 45.0  # usually takes half a second, longer on a busy machine


class CameraSettings(Struct, frozen=True):
    """A phone can have at most `photos_an_hour` read, by each of the `workers`."""

    photos_an_hour: Annotated[int, Meta(ge=1)] = 600


PART = CameraSettings()
