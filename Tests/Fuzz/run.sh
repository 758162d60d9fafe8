#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# run.sh SECONDS [TARGET...]: coverage-guided fuzzing, each target (all, unless named) for so long; ends with the first
#   finding, which is then in .build/fuzz/findings/TARGET. What is new goes to .build/fuzz/corpus/TARGET.
# run.sh keep [TARGET...]: adds what reaches something new to the committed corpus, as few files as possible.
# run.sh coverage [TARGET...]: how much of the decoder's own files the committed corpus reaches.
set -euo pipefail
cd "$(dirname "$0")/../.."
mode=${1:?how many seconds for each target?}
shift
targets=${*:-$(ls Tests/Fuzz/corpus)}

scratch=.build/fuzz options=()
if [ "$mode" = coverage ]; then
    scratch=.build/fuzz-coverage
    options=(-Xswiftc -profile-generate -Xswiftc -profile-coverage-mapping)
fi
DISPOSABLE_FUZZ=1 swift build -c release --scratch-path $scratch --product disposable-fuzz \
    -Xswiftc -sanitize=fuzzer -Xswiftc -parse-as-library "${options[@]}"
program=$scratch/release/disposable-fuzz
# libFuzzer, not Swift, is to hear of a trap: it keeps the input.
export SWIFT_BACKTRACE=enable=no

# The decoder's own files.
sources() {
    local Sync=Sources/DisposableSync Wire=Sources/DisposableWire Model=Sources/DisposableModel
    local Imaging=Sources/DisposableImaging Portal=Sources/DisposablePortal
    case $1 in
    frame) echo $Sync/Connection/FrameDecoder.swift ;;
    preface) echo $Sync/Connection/Preface.swift ;;
    handshake)
        echo $Sync/Connection/PeerConnection.swift
        echo Sources/DisposableNoise/{CipherState,HandshakeState,NoiseTransport,SymmetricState}.swift
        ;;
    message) echo $Wire/{PeerMessage+Coding,ProtobufFields,RegisterCoding,AddressCoding}.swift ;;
    header) echo $Model/OperationHeader.swift ;;
    body) echo $Wire/{OperationCoding,CharterCoding,EpochCoding}.swift ;;
    chunks) echo $Sync/Transfer/ChunkScheduler{,+Reception}.swift ;;
    reconciliation)
        echo $Sync/Reconciliation/{Accumulator,Bound,MessageReader,MessageWriter,RangeMode}.swift
        echo $Sync/Reconciliation/{Reconciler,ReconciliationInitiator,ReconciliationResponder}.swift
        ;;
    record) echo Sources/DisposableDiscovery/TextRecord.swift ;;
    invitation) echo $Wire/InvitationCoding.swift ;;
    operations) echo $Wire/OperationFile.swift ;;
    words) echo $Portal/FingerprintWords.swift $Model/{GuestSeed,GuestLink}.swift ;;
    form) echo $Portal/Forms/MultipartParser.swift ;;
    tus) echo $Portal/Uploads/TusMetadata.swift ;;
    image) echo $Imaging/Scrubbing/*.swift ;;
    exif) echo $Imaging/{TIFFBlock,CaptureTime}.swift ;;
    worker) echo $Imaging/Worker/{WorkerMessage,MessageReader}.swift ;;
    *) echo "which files decode $1 is not said in $0" >&2; return 1 ;;
    esac
}

for target in $targets; do
    export DISPOSABLE_FUZZ_TARGET=$target
    new=.build/fuzz/corpus/$target findings=.build/fuzz/findings/$target committed=Tests/Fuzz/corpus/$target
    mkdir -p "$new" "$findings"
    if [ "$mode" = coverage ]; then
        llvm=$(dirname "$(readlink -f "$(command -v swift)")")
        profile=$scratch/$target
        LLVM_PROFILE_FILE=$profile.profraw $program "$committed" -runs=0 -verbosity=0 2>/dev/null
        $llvm/llvm-profdata merge -sparse "$profile.profraw" -o "$profile.profdata"
        files=$(sources "$target")
        # shellcheck disable=SC2086
        $llvm/llvm-cov report $program -instr-profile "$profile.profdata" $files | awk -v target="$target" '
            $1 == "TOTAL" { print target ": " $4 " of " $2 " regions, " $5 - $6 " of " $5 " functions" }'
    elif [ "$mode" = keep ]; then
        $program -set_cover_merge=1 -use_counters=0 -verbosity=0 "$committed" "$new"
    else
        echo "== $target, $mode seconds"
        $program "$new" "$committed" -max_total_time="$mode" -timeout=10 -rss_limit_mb=1024 \
            -artifact_prefix="$findings/" -print_final_stats=1 -verbosity=0
    fi
done
