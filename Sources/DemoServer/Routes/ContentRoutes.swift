import FlyingFox
import Foundation
import SortieBase

/// Routes with response bodies of every kind that the response pane supports.
enum ContentRoutes {
    static func all(_ demo: Demo) -> [Route] {
        [
            .get("/gzip", "JSON, gzip-encoded when Accept-Encoding allows it.", handle: gzip),
            .get("/html", "A small page.") { _ in .text(Samples.html, type: "text/html; charset=utf-8") },
            .get("/xml", "A small document.") { _ in .text(Samples.xml, type: "application/xml; charset=utf-8") },
            .get("/csv", "Orders as comma-separated values.") { _ in .text(Samples.csv, type: "text/csv; charset=utf-8") },
            .get("/image", "A PNG image.") { _ in Reply(headers: [("Content-Type", "image/png")], body: .data(SamplePicture.png)) },
            .get("/plist", "An XML property list.") { _ in .text(Samples.plist, type: "application/x-plist") },
            .get("/text", "UTF-8 with wide characters, emoji, combining marks and right-to-left text.") { _ in .text(Samples.text)
            },
            .get("/text/{charset}", "A greeting in another encoding: latin1, gb18030, utf-16.", handle: encodedText),
            .get("/headers/large", "Many response headers: ?kilobytes=16, 1 to 128.", handle: largeHeaders),
            .get("/json/large", "A JSON array of about ?megabytes=10, streamed without a length; 1 to 2000.", handle: largeJSON),
            .get("/binary", "Pseudo-random bytes: ?bytes=1024.") { call in
                let bytes = try call.byteSize("bytes", default: 1024, upTo: 1_000_000_000)
                let body = HTTPBodySequence(from: GeneratedFile(size: bytes, seed: 4).body(0..<bytes, rate: nil), count: bytes)
                return Reply(headers: [("Content-Type", "application/octet-stream")], body: .sequence(body))
            },
            .get("/empty", "200 with an empty body and no type.") { _ in Reply() },
        ]
    }

    private static func gzip(_ call: Call) -> Reply {
        let json: JSON = [
            "code": 200, "description": "OK",
            "result": ["encoded": "gzip", "text": .string(String(repeating: "压缩 ", count: 200))],
        ]
        let headers = [("Content-Type", "application/json; charset=utf-8"), ("Vary", "Accept-Encoding")]
        let data = Data(json.compactText.utf8)
        guard accepts("gzip", call.header("Accept-Encoding")) else { return Reply(headers: headers, body: .data(data)) }
        return Reply(headers: headers + [("Content-Encoding", "gzip")], body: .data(Gzip.stored(data)))
    }

    /// Whether the field accepts the coding by name or by `*` with a weight above 0 (RFC 9110 §12.5.3).
    static func accepts(_ coding: String, _ header: String?) -> Bool {
        var weights: [String: Double] = [:]
        for item in (header ?? "").lowercased().split(separator: ",") {
            let parts = item.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
            guard let name = parts.first else { continue }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) }
            weights[name] = weight ?? 1
        }
        return (weights[coding] ?? weights["*"] ?? 0) > 0
    }

    private static func encodedText(_ call: Call) throws -> Reply {
        switch call.parameter("charset").lowercased() {
        case "latin1", "iso-8859-1":
            let bytes = Data("Gr".utf8) + [0xFC, 0xDF, 0x65] + Data(" aus K".utf8) + [0xF6] + Data("ln\n".utf8)
            return Reply(headers: [("Content-Type", "text/plain; charset=iso-8859-1")], body: .data(bytes))
        case "gb18030", "gbk":
            return Reply(
                headers: [("Content-Type", "text/plain; charset=gb18030")],
                body: .data(Data([0xC4, 0xE3, 0xBA, 0xC3, 0xA3, 0xAC, 0xCA, 0xC0, 0xBD, 0xE7, 0x0A])))
        case "utf-16":
            let units = "你好, Grüße 👋\n".utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
            return Reply(headers: [("Content-Type", "text/plain; charset=utf-16")], body: .data(Data([0xFE, 0xFF] + units)))
        case let other: throw Problem(404, "There is /text/latin1, /text/gb18030 and /text/utf-16, but not /text/\(other).")
        }
    }

    private static func largeHeaders(_ call: Call) throws -> Reply {
        let kilobytes = try call.integer("kilobytes", default: 16, in: 1...128)
        var reply = Reply.envelope(["headers": .integer(kilobytes)])
        for number in 1...kilobytes {
            let name = "X-Large-" + String(1000 + number).dropFirst()
            reply.headers.append((name, String(repeating: String(number % 10), count: 1024 - name.utf8.count - 4)))
        }
        return reply
    }

    private static func largeJSON(_ call: Call) throws -> Reply {
        let limit = try call.integer("megabytes", default: 10, in: 1...2000) * 1_000_000
        let array = PulledBytes(state: (sent: 0, next: 1)) { state in
            guard state.sent < limit else {
                defer { state.sent = .max }
                return state.sent == .max ? nil : Data("]\n".utf8)
            }
            var text = state.next == 1 ? "[" : ""
            while text.utf8.count < 64 << 10 {
                text += state.next == 1 ? "\n" : ",\n"
                text +=
                    "{\"index\":\(state.next),\"customer\":\"王小明\",\"tags\":[\"a\",\"b\"],"
                text += "\"nested\":{\"value\":\(state.next % 97),\"ok\":true}}"
                state.next += 1
            }
            state.sent += text.utf8.count
            return Data(text.utf8)
        }
        return Reply(headers: [("Content-Type", "application/json")], body: .sequence(HTTPBodySequence(from: array)))
    }
}
