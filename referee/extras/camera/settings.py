"""The camera's settings."""

from typing import Annotated

from msgspec import Meta, Struct


class CameraSettings(Struct, frozen=True):
    """A phone can have at most `photos_an_hour` read, by all `workers` together."""

    photos_an_hour: Annotated[int, Meta(ge=1)] = 600


PART = CameraSettings()
