#!/usr/bin/env bash
# FFmpeg: WebVTT written as WebVTT has no speakers, and text that was escaped is a tag.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
command -v ffmpeg > /dev/null || { echo "ffmpeg is missing: apt-get install ffmpeg (5.1.9 in Debian 12)" >&2; exit 2; }
cat > talk.vtt << 'EOF'
WEBVTT

00:01.000 --> 00:02.000
<v Ann>Write &lt;b&gt; for bold

00:02.000 --> 00:03.000
<v Ben>Fine
EOF
ffmpeg -version | head -n 1 | cut -d ' ' -f 1-3
ffmpeg -loglevel error -i talk.vtt copy.vtt
echo "Speakers are gone, and &lt;b&gt; is written as a tag, which readers of WebVTT do not show:"
cat copy.vtt
! grep -q -e Ann -e Ben copy.vtt
grep -qx 'Write <b> for bold' copy.vtt
