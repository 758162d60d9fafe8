#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# run.sh SECONDS [TARGET...]: coverage-guided fuzzing, each target (all, unless named) for so long; ends with the first
#   finding, which is then in .build/fuzz/findings/TARGET. What is new goes to .build/fuzz/corpus/TARGET.
# run.sh keep [TARGET...]: adds what reaches something new to the committed corpus, as few files as possible.
set -euo pipefail
cd "$(dirname "$0")/../.."
mode=${1:?how many seconds for each target?}
shift
targets=${*:-$(ls Tests/Fuzz/corpus)}

DISPOSABLE_FUZZ=1 swift build -c release --scratch-path .build/fuzz --product disposable-fuzz \
    -Xswiftc -sanitize=fuzzer -Xswiftc -parse-as-library
# libFuzzer, not Swift, is to hear of a trap: it keeps the input.
export SWIFT_BACKTRACE=enable=no
for target in $targets; do
    export DISPOSABLE_FUZZ_TARGET=$target
    new=.build/fuzz/corpus/$target findings=.build/fuzz/findings/$target committed=Tests/Fuzz/corpus/$target
    mkdir -p "$new" "$findings"
    if [ "$mode" = keep ]; then
        .build/fuzz/release/disposable-fuzz -set_cover_merge=1 -use_counters=0 -verbosity=0 "$committed" "$new"
    else
        echo "== $target, $mode seconds"
        .build/fuzz/release/disposable-fuzz "$new" "$committed" -max_total_time="$mode" -timeout=10 -rss_limit_mb=1024 \
            -artifact_prefix="$findings/" -print_final_stats=1 -verbosity=0
    fi
done
