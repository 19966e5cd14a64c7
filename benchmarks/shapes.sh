#!/bin/sh
# Which shape of network plays best for its time: several train alike, by the clock or for as many steps, and meet in a
# tournament at equal seconds of the processor a move, each in floats and in 8-bit integers. Killed at any moment, the
# same command goes on. SHAPES names others, OUT the folder.
#
#     benchmarks/shapes.sh minutes|steps LENGTH SECONDS GAMES FILE.games...
#     benchmarks/shapes.sh minutes 20 0.2 40 9x9_cgos_strong.games=0.6 9x9_teacher_0.games=0.4
set -e
case "$#,$1" in
[0-4],*) wrong=1 ;;
*,minutes | *,steps) wrong= ;;
*) wrong=1 ;;
esac
if [ -n "$wrong" ]; then
    sed -n 's/^#     /usage: /p' "$0" >&2
    exit 2
fi
unit=$1 length=$2 seconds=$3 games=$4
shift 4
out=${OUT:-shapes}
# One of each family, with about as many parameters and operations.
shapes=${SHAPES:-"residual.6.64 gpool.6.64 mobile.8.384.64 se.8.384.64 mix.8.384.64 rt.rrtrrt.64 eformer.6.1.64"}

for file in "$@"; do set -- "$@" --data "$file"; shift; done
for shape in $shapes; do
    run=$out/$shape resume=
    if [ -d "$run/checkpoints" ]; then resume=--resume; fi # a finished run is validated once more, and that is all
    tesuji train "$run" $resume --network "$shape+conv+pass+norelu+bin+komi+ownership" "$@" "--$unit" "$length" \
        --set batch=128 --set ema=0.999
    if [ ! -e "$out/$shape.onnx" ]; then tesuji export "$run/best.safetensors" --int8 -o "$out/$shape.onnx"; fi
done

players=$(for shape in $shapes; do
    for precision in fp32 int8; do
        printf '%s\n' "$out/$shape.onnx precision=$precision seconds=$seconds clock=processor name=$shape-$precision"
    done
done)
IFS='
'
# One game at a time: each network has its core, and the caches of it, to itself.
tesuji tournament $players --games "$games" --parallel 1 --threads 1 --set adjudicate=agree --out "$out/tournament"
