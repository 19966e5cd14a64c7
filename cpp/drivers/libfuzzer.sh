#!/usr/bin/env bash
# Coverage-guided fuzzing of the core's readers with clang's libFuzzer: `libfuzzer.sh [SECONDS [READER ...]]`, all of
# them for `make fuzz`. It begins with the files of seeds/READER and what seeds/READER.zip holds, and keeps what it
# finds in build/fuzz/READER for the next time. Input that breaks a reader is left in build/fuzz as READER-crash-*, and
# the exit code is 1.
set -euo pipefail
cd "$(dirname "$0")/../.."
seconds=${1:-60}
[ $# -gt 0 ] && shift
[ $# -gt 0 ] || set -- sgf packed games_data results words diagram
clang=${CLANGXX:-$(command -v clang++ || true)}
if [ -z "$clang" ]; then echo "make fuzz needs clang++ (or CLANGXX=...) for the readers of the core" >&2; exit 1; fi
flags="-std=c++20 -g -O1 -fno-sanitize-recover=undefined -I cpp"
core=build/fuzz/core.a
mkdir -p build/fuzz/objects
if [ ! -e $core ] || [ -n "$(find cpp -newer $core -name '*.[ch]*' -print -quit)" ]; then
    find cpp/base cpp/go cpp/planes cpp/records cpp/samples -name '*.cpp' | xargs -P 2 -I {} sh -c \
        "$clang $flags -fsanitize=fuzzer-no-link,address,undefined -c {} -o build/fuzz/objects/\$(echo {} | tr / -).o"
    rm -f $core
    ar rcs $core build/fuzz/objects/*.o
fi
failed=0
for reader in "$@"; do
    driver=build/fuzz/read_$reader found=build/fuzz/$reader
    if [ ! -x "$driver" ] || [ $core -nt "$driver" ]; then
        "$clang" $flags -fsanitize=fuzzer,address,undefined -DREADER_"$reader" -o "$driver" cpp/drivers/readers.cpp $core
    fi
    mkdir -p "$found"
    if [ -e cpp/drivers/seeds/"$reader".zip ]; then
        python3 -m zipfile -e cpp/drivers/seeds/"$reader".zip "$found"
    fi
    echo "== $reader for $seconds s"
    "$driver" -max_total_time="$seconds" -max_len=20000 -rss_limit_mb=2048 -timeout=20 -print_final_stats=1 \
        -artifact_prefix="build/fuzz/$reader-" "$found" cpp/drivers/seeds/"$reader" >"build/fuzz/$reader.log" 2>&1 ||
        { failed=1; grep -E 'ERROR|SUMMARY|readers:|Test unit written' "build/fuzz/$reader.log" || tail -5 "build/fuzz/$reader.log"; }
    grep -E 'stat::number_of_executed|stat::new_units|cov:' "build/fuzz/$reader.log" | tail -3
done
exit $failed
