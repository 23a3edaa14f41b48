"""How everybody's own pad does with 2,000 seated phones, and in taps: `python -m benchmarks`."""

TOPICS = ("seated_phones", "own_pads")
#: They measure what a short run has no time for; the ratios of pages are in `pages`.
LEFT_OUT_IF_SHORT = ("seated_phones", "own_pads")
UNDISTURBED = ("own_pads",)
