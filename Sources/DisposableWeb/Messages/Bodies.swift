// SPDX-License-Identifier: Apache-2.0
internal import DisposableValues
internal import Foundation
package import HTTPTypes
package import HummingbirdCore
package import NIOCore

extension Response {
    package static func json(_ value: some Encodable, status: HTTPResponse.Status = .ok) throws -> Response {
        Response(
            status: status, headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: try JSONText.bytes(value))))
    }

    package static func page(_ page: HTML, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status, headers: [.contentType: "text/html; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: page.text)))
    }
}

extension Request {
    /// Decodes the body as JSON of this shape. Throws 400 for anything else, 413 for a longer one.
    package func json<Value: Decodable>(_ type: Value.Type, byteCountMax: Int) async throws -> Value {
        let body = try await body(upTo: byteCountMax)
        do {
            return try JSONDecoder().decode(type, from: Data(JSONNesting.checked(body.readableBytesView)))
        } catch {
            throw HTTPFailure.malformed("the body is not the expected JSON object")
        }
    }

    /// Decodes the body of a short form (`application/x-www-form-urlencoded`).
    package func form<Value: Decodable>(_ type: Value.Type, byteCountMax: Int) async throws -> Value {
        let body = try await body(upTo: byteCountMax)
        do {
            return try FormFields(Array(buffer: body)).decode(type)
        } catch {
            throw HTTPFailure.malformed("the form does not have the expected fields")
        }
    }

    /// The whole body. Throws 400 for one that breaks off, 413 for a longer one.
    package func body(upTo byteCountMax: Int) async throws -> ByteBuffer {
        do {
            return try await body.collect(upTo: byteCountMax)
        } catch is NIOTooManyBytesError {
            throw HTTPFailure(.contentTooLarge, "too-long", "the body has more than \(byteCountMax) bytes")
        } catch {
            throw HTTPFailure.malformed("the body is truncated")
        }
    }
}
