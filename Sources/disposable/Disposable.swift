// SPDX-License-Identifier: Apache-2.0
@main struct Disposable { static func main() {} }
