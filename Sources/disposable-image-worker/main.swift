// SPDX-License-Identifier: Apache-2.0
// Decodes images for a node, or cleans files of metadata, as a separate process: the node starts this program and
// communicates over standard input and output.
internal import DisposableImaging

ImageWorker.run(as: CommandLine.arguments.contains(ImageWorkerPool.Role.cleaningArgument) ? .cleaning : .rendering)
