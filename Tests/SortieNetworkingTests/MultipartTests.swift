import Foundation
import Support
import Testing

@testable import SortieNetworking

/// Tests `multipart/form-data` on the wire (RFC 7578).
@Suite(.fewAtOnce)
struct MultipartTests {
    private func received(_ parts: [RequestBody.Part], _ headers: Headers = []) async throws -> ReceivedRequest {
        let server = try ScriptedServer(answering: .ok())
        let exchange = try await Caller().exchange(.to(server.url, .post, headers, body: .multipart(parts)))
        #expect(exchange.error == nil)
        return try #require(server.requests.first)
    }

    private func boundary(of request: ReceivedRequest) throws -> String {
        let type = try #require(request["Content-Type"])
        #expect(type.hasPrefix("multipart/form-data; boundary="))
        return try #require(type.split(separator: "=").last.map(String.init))
    }

    @Test func `fields and files are parts of one body with a known length`() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("a.txt", "from the disk")
        let request = try await received([
            .init(name: "plain", content: .bytes(Array("väl".utf8))),
            .init(name: "empty", content: .bytes([])),
            .init(name: "file", content: .file(path: path), fileName: "b.txt", contentType: "text/plain"),
        ])
        let line = "--" + (try boundary(of: request))
        let expected = [
            line, "Content-Disposition: form-data; name=\"plain\"", "", "väl",
            line, "Content-Disposition: form-data; name=\"empty\"", "", "",
            line, "Content-Disposition: form-data; name=\"file\"; filename=\"b.txt\"", "Content-Type: text/plain", "",
            "from the disk", line + "--", "",
        ]
        #expect(request.bodyText == expected.joined(separator: "\r\n"))
        #expect(request["Content-Length"] == "\(request.body.count)")
        #expect(request["Expect"] == nil)
    }

    @Test func `S4.16 a part without a type has that of its file name, and raw bytes are application octet-stream`() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("upload.JPG", [1, 2])
        let request = try await received([
            .file("a", path: path), .init(name: "b", content: .bytes([3]), fileName: "b.webp"),
            .init(name: "c", content: .bytes([4]), fileName: "blob"), .file("d", path: path, fileName: "blob"),
            .init(name: "e", content: .bytes([5])), .init(name: "f", content: .bytes([6]), fileName: "f.jpg", contentType: "x/y"),
        ])
        let types = request.bodyText.components(separatedBy: "Content-Disposition").dropFirst().map { part in
            part.components(separatedBy: "\r\n").first { $0.hasPrefix("Content-Type: ") }.map { String($0.dropFirst(14)) }
        }
        #expect(types == ["image/jpeg", "image/webp", "application/octet-stream", "image/jpeg", nil, "x/y"])
    }

    @Test func `S4.16 a body of raw bytes is application octet-stream`() async throws {
        let server = try ScriptedServer(answering: .ok())
        #expect(try await Caller().exchange(.to(server.url, .post, body: .data([0, 255]))).error == nil)
        #expect(server.requests.first?["Content-Type"] == "application/octet-stream")
    }

    @Test func `a plain field from a file has no file name`() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("secret-name.txt", "value")
        let request = try await received([.init(name: "f", content: .file(path: path))])
        #expect(!request.bodyText.contains("filename"))
        #expect(request.bodyText.contains("value"))
    }

    @Test func `quotes in a name do not end it`() async throws {
        let request = try await received([.init(name: "a\"b", content: .bytes([49]))])
        #expect(request.bodyText.contains("name=\"a%22b\""))
    }

    @Test(arguments: ["a\r\nX: 1", "a\nX: 1", "a\rX", "a\0"]) func `a name with a line break or NUL is rejected before anything is sent`(
        _ name: String
    ) async throws {
        let server = try ScriptedServer(answering: .ok())
        let part = RequestBody.Part(name: name, content: .bytes([49]))
        let exchange = try await Caller().exchange(.to(server.url, .post, body: .multipart([part])))
        #expect(exchange.error?.code == .invalidHeader)
        #expect(server.acceptedConnections == 0)
    }

    @Test func `bytes that look like text with NUL are received exactly`() async throws {
        let bytes: [UInt8] = [0, 1, 13, 10, 45, 45, 0]
        let request = try await received([.init(name: "raw", content: .bytes(bytes), fileName: "raw.bin")])
        let start = try #require(request.body.firstRange(of: Array("\r\n\r\n".utf8))).upperBound
        #expect(Array(request.body[start..<(start + bytes.count)]) == bytes)
    }

    @Test func `a part with a missing file is rejected before anything is sent`() async throws {
        let server = try ScriptedServer(answering: .ok())
        let part = RequestBody.Part(name: "f", content: .file(path: "/no/such/file"))
        let exchange = try await Caller().exchange(.to(server.url, .post, body: .multipart([part])))
        #expect(exchange.error?.code == .fileUnreadable)
        #expect(server.acceptedConnections == 0)
    }
}
