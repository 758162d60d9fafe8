#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Two nodes on this machine, talking over the loopback interface only: one opens an event, the other joins it, photos are
# added on both, and in the end both show the same gallery. Everything it makes is gone afterwards.
#
#   examples/two-nodes.sh [FOLDER]     FOLDER: photos to add; without it, two made-up pictures of one pixel
#
# DISPOSABLE_BIN names the program; else the one of `swift build -c release`, else the one on the PATH.
set -euo pipefail

here=$(dirname "$(readlink -f "$0")")
disposable=${DISPOSABLE_BIN:-$here/../.build/release/disposable}
[[ -x $disposable ]] || disposable=$(command -v disposable) || {
    echo "disposable is missing: swift build -c release" >&2
    exit 1
}

work=$(mktemp -d)
nodes=()
end() {
    trap - EXIT
    for node in "${nodes[@]}"; do kill -INT "$node" 2>/dev/null || true; done
    for node in "${nodes[@]}"; do wait "$node" 2>/dev/null || true; done
    rm -rf "$work"
}
trap end EXIT
trap 'exit 1' INT TERM

# Prints the value of a string or number in the last line of FILE that has it; waits for it.
value() { # FILE KEY
    local tries
    for ((tries = 0; tries < 1800; tries++)); do
        if grep -q "\"$2\":" "$1"; then
            grep "\"$2\":" "$1" | tail -n 1 | sed -E "s/.*\"$2\":\"?([^\",}]*).*/\1/"
            return
        fi
        sleep 0.1
    done
    echo "nobody said \"$2\" within three minutes" >&2
    return 1
}

digest() { "$disposable" status --json --data "$work/$1" >"$work/$1.status" && value "$work/$1.status" digest; }
complete() { "$disposable" status --json --data "$work/$1" >"$work/$1.status" && value "$work/$1.status" completeCount; }

echo "Anna opens an event."
"$disposable" host "Garden party" --as Anna --frames unlimited --interface lo --json \
    --data "$work/Anna" >"$work/Anna.log" 2>"$work/Anna.err" &
nodes+=($!)
invitation=$(value "$work/Anna.log" invitation)

echo "Ben joins it with her invitation."
"$disposable" join "$invitation" --as Ben --interface lo --json --data "$work/Ben" >"$work/Ben.log" 2>"$work/Ben.err" &
nodes+=($!)
until grep -q '"type":"admitted"' "$work/Ben.log"; do
    kill -0 "${nodes[1]}" 2>/dev/null || { cat "$work/Ben.err" >&2; exit 1; }
    sleep 0.1
done

if [[ $# -ge 1 ]]; then
    pictures=$1
else
    pictures=$work/pictures
    mkdir "$pictures"
    # The smallest GIFs there are, in two colours.
    base64 -d <<<R0lGODlhAQABAIAAAP8AAP///ywAAAAAAQABAAACAkQBADs= >"$pictures/red.gif"
    base64 -d <<<R0lGODlhAQABAIAAAAAA/////ywAAAAAAQABAAACAkQBADs= >"$pictures/blue.gif"
fi
echo "Both add photos."
count=0
for file in "$pictures"/*; do
    if ((count % 2)); then who=Ben; else who=Anna; fi
    "$disposable" add "$file" --data "$work/$who"
    count=$((count + 1))
done

for ((tries = 0; tries < 1800; tries++)); do
    if [[ $(complete Anna) == "$count" && $(complete Ben) == "$count" && $(digest Anna) == "$(digest Ben)" ]]; then
        echo "Anna  $(digest Anna)"
        echo "Ben   $(digest Ben)"
        echo "the two galleries are equal"
        exit 0
    fi
    sleep 0.1
done
echo "the two galleries were not equal within three minutes" >&2
exit 1
