#!/bin/sh
# Which shape of network plays best for its time: some of 0.1 to 1 million parameters train for as long, then meet in a
# tournament at equal seconds a move. On a quiet machine; killed at any moment, the same command goes on. SHAPES names
# others, OUT the folder.
#
#     benchmarks/shapes.sh MINUTES SECONDS GAMES FILE.games...
#     benchmarks/shapes.sh 20 0.2 40 9x9_cgos_strong.games=0.6 9x9_teacher_0.games=0.4
set -e
if [ $# -lt 4 ]; then
    sed -n 's/^#     /usage: /p' "$0" >&2
    exit 2
fi
minutes=$1 seconds=$2 games=$3
shift 3
out=${OUT:-shapes}
shapes=${SHAPES:-"mobile.6.128.32 se.8.192.48 se.16.384.64 residual.6.32 residual.6.64 residual.10.64"}

for file in "$@"; do set -- "$@" --data "$file"; shift; done
for shape in $shapes; do
    run=$out/$shape resume=
    if [ -d "$run/checkpoints" ]; then resume=--resume; fi # a finished run is validated once more, and that is all
    tesuji train "$run" $resume --network "$shape+conv+pass+norelu+komi+ownership" "$@" --minutes "$minutes" \
        --set batch=128 --set ema=0.999
done

players=$(for shape in $shapes; do printf '%s\n' "$out/$shape/best.onnx name=$shape"; done)
IFS='
'
# Games at a time budget are played one after another, so that every network has the machine to itself.
tesuji tournament $players --seconds "$seconds" --games "$games" --parallel 1 --out "$out/tournament"
