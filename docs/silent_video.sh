#!/usr/bin/env bash
# Make the video that keeps a phone's screen on (static/js/phone/awake.js): four seconds of black, with a
# sound track that is silent. Needs ffmpeg; the file is made once and committed.
set -euo pipefail
cd "$(dirname "$0")/.."
# Baseline H.264 and AAC, which every phone plays; no metadata, and nothing of whoever made it.
ffmpeg -y -loglevel error \
  -f lavfi -i color=black:size=64x64:rate=1 -f lavfi -i anullsrc=r=44100:cl=mono -t 4 \
  -c:v libx264 -profile:v baseline -pix_fmt yuv420p -bsf:v filter_units=remove_types=6 \
  -c:a aac -b:a 8k -map_metadata -1 -fflags +bitexact -flags:a +bitexact -movflags +faststart \
  static/video/black-and-silent.mp4
