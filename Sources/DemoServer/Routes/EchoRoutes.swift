import FlyingFox
import Foundation
import SortieBase

/// Routes that return the received request.
enum EchoRoutes {
    /// The largest number of body bytes that are returned.
    ///
    /// All bytes are counted and hashed.
    static let shownBytes = 1 << 20

    static func all(_ demo: Demo) -> [Route] {
        let summary = "Any method: returns method, path, query, headers and body, and the parts of a form."
        return [Route([], "/echo", summary, handle: echo), Route([], "/echo/*", summary, handle: echo)]
    }

    private static func echo(_ call: Call) async throws -> Reply {
        var digest = ContentDigest()
        var shown = Data()
        var multipart = MultipartReader(contentType: call.header("Content-Type"))
        try await call.body.read { chunk in
            digest.add(chunk)
            shown.append(chunk.prefix(max(0, shownBytes - shown.count)))
            multipart?.add(chunk)
        }
        multipart?.finish()
        var members: [(String, JSON)] = [
            ("method", .string(call.method)), ("path", .string(call.rawPath)), ("query", .string(call.rawQuery)),
            ("parameters", call.query.json), ("headers", headers(call)),
            ("headersNote", "Sorted by name: the server library keeps neither their order nor a repeated name."),
            ("body", body(shown, of: digest.bytes)), ("bytes", .integer(digest.bytes)), ("sha256", .string(digest.hex)),
        ]
        if call.mediaType == "application/x-www-form-urlencoded" {
            members.append(("form", QueryItems(String(decoding: shown, as: UTF8.self), plusIsSpace: true).json))
        }
        if let multipart {
            members.append(("parts", multipart.json))
            if let problem = multipart.problem { members.append(("problem", .string(problem))) }
        }
        return .json(.object(members))
    }

    private static func headers(_ call: Call) -> JSON {
        let pairs = call.headers.map { ($0.key.rawValue, $0.value) }.sorted {
            ($0.0.lowercased(), $0.1) < ($1.0.lowercased(), $1.1)
        }
        return .array(pairs.map { [.string($0.0), .string($0.1)] })
    }

    private static func body(_ shown: Data, of total: Int) -> JSON {
        let truncated: [(String, JSON)] = total > shown.count ? [("truncatedAt", .integer(shown.count))] : []
        guard let text = String(data: shown, encoding: .utf8) else {
            return .object([("encoding", "base64"), ("text", .string(shown.base64EncodedString()))] + truncated)
        }
        return .object([("encoding", "utf8"), ("text", .string(text))] + truncated)
    }
}
