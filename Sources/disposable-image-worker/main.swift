// SPDX-License-Identifier: Apache-2.0
// Decodes images for a node, or cleans files of metadata, as a process of its own: the node starts this program and talks
// to it over standard input and output.
internal import DisposableImaging

ImageWorker.run(as: CommandLine.arguments.contains(ImageWorkerPool.Role.cleaningArgument) ? .cleaning : .rendering)
