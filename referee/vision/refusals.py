"""Why a photo cannot be read, in words."""

from referee.rules.text import Text, say
from referee.vision.limits import MOST_BYTES, MOST_PIXELS, Unreadable

REFUSALS: dict[Unreadable, Text] = {
    "empty": say("The file is empty."),
    "too-large": say("This photo is larger than {most} MB.", most=MOST_BYTES // 1_000_000),
    "too-many-pixels": say(
        "This photo has more than {most} million pixels.", most=MOST_PIXELS // 1_000_000
    ),
    "too-small": say("This picture is too small to show a card."),
    "no-photo": say("This isn’t a photo that can be read here. Send a JPEG, PNG, or WebP."),
    "heic": say("This is a HEIC photo, which can’t be read here. Send it as a JPEG."),
    "avif": say("This is an AVIF picture, which can’t be read here. Send it as a JPEG."),
    "gif": say("This is a GIF, which can’t be read here. Send a photo as a JPEG."),
    "tiff": say("This is a TIFF picture, which can’t be read here. Send it as a JPEG."),
    "animated": say("This picture moves. Send a single photo."),
    "broken": say("This photo is damaged or incomplete."),
}
