internal import SortieBase

/// The stream of a request over HTTP/2 and its connection.
///
/// libcurl repeats a request whose stream the server refused, and one whose connection broke, and does not tell which. Only the debug text has the last
/// stream that the server processes, and the numbers of the streams.
struct HTTP2Stream: Hashable {
    /// A connection, as long as it is open.
    struct Connection: Hashable {
        let localPort: Int32
        /// The addresses of both ends, and the port of the other one.
        let addresses: String
    }

    let connection: Connection
    let number: UInt32

    /// What a line of libcurl's debug text says.
    enum Notice: Hashable {
        /// The request has this stream.
        case opens(UInt32)
        /// The server processes no stream with a higher number than this one (GOAWAY, RFC 9113 §6.8).
        case processes(upTo: UInt32)

        /// The lines of libcurl 7.88 and 8.14; nil for another one.
        init?(_ line: UnsafeRawBufferPointer) {
            if let number = Self.number(in: line, behind: "Using Stream ID: ")
                ?? Self.number(in: line, behind: "[HTTP/2] [", before: "] OPENED stream")
            {
                self = .opens(number)
            } else if Self.has(line, "recveived GOAWAY") || Self.has(line, "received GOAWAY"), let equals = line.lastIndex(of: UInt8(ascii: "=")),
                let number = Self.number(line[(equals + 1)...])
            {
                self = .processes(upTo: number)
            } else {
                return nil
            }
        }

        private static func has(_ line: UnsafeRawBufferPointer, _ prefix: StaticString) -> Bool {
            line.starts(with: UnsafeRawBufferPointer(start: prefix.utf8Start, count: prefix.utf8CodeUnitCount))
        }

        private static func number(in line: UnsafeRawBufferPointer, behind prefix: StaticString, before suffix: String = "") -> UInt32? {
            guard has(line, prefix) else { return nil }
            let rest = line[prefix.utf8CodeUnitCount...]
            guard rest.drop(while: ASCII.isDigit).starts(with: suffix.utf8) else { return nil }
            return number(rest)
        }

        private static func number(_ bytes: Slice<UnsafeRawBufferPointer>) -> UInt32? {
            UInt32(String(decoding: bytes.prefix(while: ASCII.isDigit), as: UTF8.self))
        }
    }
}
