#!/usr/bin/env bash
# Builds the core and its drivers under each sanitizer and runs them. `make sanitize` calls it.
set -eu
cd "$(dirname "$0")/../.."
for sanitizer in address,undefined thread; do
    build=build/sanitize-${sanitizer%%,*}
    cmake -S . -B "$build" -DTESUJI_PYTHON=OFF -DTESUJI_WERROR=ON -DCMAKE_BUILD_TYPE=RelWithDebInfo \
        -DTESUJI_SANITIZE=$sanitizer >/dev/null
    cmake --build "$build" --parallel 2 >/dev/null
    for driver in $(tr ';' ' ' <"$build/cpp/drivers/list.txt"); do
        echo "== $driver under the $sanitizer sanitizer"
        UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 "$build/cpp/drivers/$driver"
    done
done
echo "clean"
