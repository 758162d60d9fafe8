// SPDX-License-Identifier: Apache-2.0
// Decodes images for a node, which starts this program and talks to it over standard input and output.

ImageWorker.run()
