import Foundation
import SortieBase
import SortieHTTP

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Parses `multipart/form-data` (RFC 7578) incrementally and records the headers, length and digest of each part.
struct MultipartReader {
    struct Part {
        var name: String?
        var filename: String?
        var type: String?
        var digest = ContentDigest()
    }

    private enum State { case preamble, headers, content, finished, broken }

    /// The parts in order; the last one may be incomplete.
    private(set) var parts: [Part] = []
    /// The error in the body; nil for none.
    private(set) var problem: String?

    /// The largest size of the headers of one part.
    private static let headerLimit = 64 << 10
    private let delimiter: Data
    private var state = State.preamble
    private var buffer = Data("\r\n".utf8)

    /// Returns nil when the content type is not multipart/form-data with a boundary.
    init?(contentType: String?) {
        guard let contentType, contentType.lowercased().hasPrefix("multipart/form-data"),
            let boundary = FieldParameters(of: contentType)["boundary"], !boundary.isEmpty, boundary.utf8.count <= 200
        else { return nil }
        delimiter = Data("\r\n--\(boundary)".utf8)
    }

    mutating func add(_ data: Data) {
        guard state != .finished, state != .broken else { return }
        buffer.append(data)
        while step() {}
    }

    /// Records an error when the body ended before its closing boundary.
    mutating func finish() {
        if state != .finished, problem == nil { problem = "The multipart body ends without its closing boundary." }
    }

    /// Consumes one delimiter or header block from the buffer; returns false when more bytes are needed.
    private mutating func step() -> Bool {
        switch state {
        case .finished, .broken: return false
        case .preamble, .content:
            guard let start = offset(of: delimiter) else {
                // The last bytes may start the delimiter, so they stay in the buffer.
                take(max(0, buffer.count - delimiter.count - 2))
                return false
            }
            let after = start + delimiter.count
            guard buffer.count >= after + 2 else {
                take(start)
                return false
            }
            let tail = Array(buffer.dropFirst(after).prefix(2))
            take(start)
            buffer = Data(buffer.dropFirst(delimiter.count + 2))
            if tail == Array("--".utf8) {
                state = .finished
                buffer = Data()
            } else if tail == Array("\r\n".utf8) {
                state = .headers
                // A part without headers starts with an empty line. With this line break every header block ends with
                // two.
                buffer = Data("\r\n".utf8) + buffer
            } else {
                fail("A boundary of the multipart body is followed by neither a line end nor --.")
            }
            return true
        case .headers:
            guard let end = offset(of: Data("\r\n\r\n".utf8)) else {
                if buffer.count > Self.headerLimit { fail("A part of the multipart body has no end to its headers.") }
                return false
            }
            parts.append(Self.part(String(decoding: buffer.prefix(end), as: UTF8.self)))
            buffer = Data(buffer.dropFirst(end + 2))
            // The second line break stays in the buffer, because it is part of the delimiter where the content is
            // missing.
            state = .content
            isAtStart = true
            return true
        }
    }

    private var isAtStart = false

    /// Moves bytes from the buffer to the current part; discards the preamble.
    private mutating func take(_ count: Int) {
        guard count >= (isAtStart ? 2 : 1) else { return }
        var bytes = Data(buffer.prefix(count))
        buffer = Data(buffer.dropFirst(count))
        guard state == .content, !parts.isEmpty else { return }
        if isAtStart {
            bytes = Data(bytes.dropFirst(2))
            isAtStart = false
        }
        parts[parts.count - 1].digest.add(bytes)
    }

    private mutating func fail(_ sentence: String) {
        problem = sentence
        state = .broken
        buffer = Data()
    }

    /// The offset of the first `needle`.
    ///
    /// Uses memchr and memcmp, because a byte loop in Swift would be slower than the network.
    private func offset(of needle: Data) -> Int? {
        buffer.withUnsafeBytes { hay in
            needle.withUnsafeBytes { needle in
                guard let base = hay.baseAddress, let pattern = needle.baseAddress, let first = needle.first else { return nil }
                var start = 0
                while hay.count - start >= needle.count {
                    guard let found = memchr(base + start, Int32(first), hay.count - start - needle.count + 1) else { return nil }
                    let place = UnsafeRawPointer(found) - base
                    if memcmp(base + place, pattern, needle.count) == 0 { return place }
                    start = place + 1
                }
                return nil
            }
        }
    }

    private static func part(_ headers: String) -> Part {
        var part = Part()
        for line in headers.components(separatedBy: "\r\n") {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            switch line[..<colon].lowercased() {
            case "content-type": part.type = value
            case "content-disposition":
                let parameters = FieldParameters(of: value)
                part.name = parameters["name"]
                part.filename = parameters["filename"]
            default: continue
            }
        }
        return part
    }

    var json: JSON {
        .array(
            parts.map { part in
                [
                    "name": .optional(part.name), "filename": .optional(part.filename), "type": .optional(part.type),
                    "bytes": .integer(part.digest.bytes), "sha256": .string(part.digest.hex),
                ]
            })
    }
}
