#!/usr/bin/env bash
# Coverage-guided fuzzing of the core's readers with clang's libFuzzer, SECONDS each. `make fuzz` calls it.
# What it finds is kept in build/fuzz/NAME and read again the next time; a crash is left there as crash-*.
set -eu
cd "$(dirname "$0")/../.."
seconds=${1:-60}
clang=${CLANGXX:-$(command -v clang++ || true)}
if [ -z "$clang" ]; then echo "make fuzz needs clang++ (or CLANGXX=...) for the readers of the core" >&2; exit 1; fi
mkdir -p build/fuzz
sources=$(find cpp/base cpp/go cpp/planes cpp/records -name '*.cpp')
for reader in sgf packed games_data results; do
    driver=build/fuzz/read_$reader
    if [ ! -x "$driver" ] || [ -n "$(find cpp -newer "$driver" -name '*.[ch]*' -print -quit)" ]; then
        "$clang" -std=c++20 -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined -I cpp \
            -DREADER_"$reader" -o "$driver" cpp/drivers/readers.cpp $sources
    fi
    mkdir -p "build/fuzz/$reader"
    echo "== $reader for $seconds s"
    "$driver" -max_total_time="$seconds" -max_len=20000 -rss_limit_mb=2048 -timeout=20 -print_final_stats=1 \
        -artifact_prefix="build/fuzz/$reader/" "build/fuzz/$reader" cpp/drivers/seeds/"$reader" 2>&1 |
        grep -E 'ERROR|SUMMARY|stat::number_of_executed|stat::new_units|cov:' | tail -5
done
