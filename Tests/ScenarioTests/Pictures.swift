// SPDX-License-Identifier: Apache-2.0
import DisposableImaging
import Foundation

/// JPEGs of a camera's size, painted by the image worker.
enum Pictures {
    /// Paints `count` photos into a folder; other seeds give other pictures.
    static func paint(
        _ count: Int, seed: UInt64, width: Int = 2_800, height: Int = 2_100, in folder: String
    ) async throws -> [String] {
        let painter = ImageWorkerPool(executable: try Product.imageWorker, count: 2, timeout: .patience)
        var paths: [String] = []
        do {
            for index in 0..<count {
                let photo = DemoPhoto(
                    seed: seed + UInt64(index), width: width, height: height,
                    capturedAtMilliseconds: 1_755_345_600_000 + Int64(index) * 1_000)
                let path = "\(folder)/IMG_\(seed)_\(index).jpg"
                try Data(try await painter.jpeg(of: photo)).write(to: URL(fileURLWithPath: path))
                paths.append(path)
            }
        } catch {
            await painter.stop()
            throw error
        }
        await painter.stop()
        return paths
    }
}
