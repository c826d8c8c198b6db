/// An HTTP request as received by a ``ScriptedServer``.
public struct ReceivedRequest: Sendable {
    /// The head as received, from the request line to the empty line that ends it.
    public let head: [UInt8]
    /// The method of the request line.
    public let method: String
    /// The target of the request line, as sent.
    public let target: String
    /// The version of the request line, such as `HTTP/1.1`.
    public let version: String
    /// The header fields in the order of receipt, with names as sent and values without surrounding whitespace.
    public let headers: [(name: String, value: String)]
    /// The body received so far, without chunked framing.
    public internal(set) var body: [UInt8] = []
    /// The trailer fields after a chunked body.
    public internal(set) var trailers: [(name: String, value: String)] = []
    /// Whether head and body are complete.
    public internal(set) var isComplete = false
    /// The number of the connection, from 0.
    public let connection: Int
    /// The numeric address of the client.
    public let peer: String

    init(head: [UInt8], connection: Int, peer: String) {
        self.head = head
        self.connection = connection
        self.peer = peer
        let lines = Self.lines(head)
        let words = (lines.first ?? "").split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        method = words.first ?? ""
        target = words.count > 1 ? words[1] : ""
        version = words.count > 2 ? words[2] : ""
        headers = Self.fields(lines.dropFirst())
    }

    /// The head as text.
    public var headText: String { String(decoding: head, as: UTF8.self) }

    /// The body as text, with bytes that are not UTF-8 replaced by U+FFFD.
    public var bodyText: String { String(decoding: body, as: UTF8.self) }

    /// The values of all header fields with this name, ignoring case, in the order of receipt.
    public func values(of name: String) -> [String] {
        headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }

    /// The value of the first header field with this name.
    public subscript(name: String) -> String? { values(of: name).first }

    static func lines(_ bytes: [UInt8]) -> [String] {
        bytes.split(separator: 10, omittingEmptySubsequences: false).map { line in
            String(decoding: line.last == 13 ? line.dropLast() : line, as: UTF8.self)
        }
    }

    static func fields(_ lines: some Sequence<String>) -> [(name: String, value: String)] {
        lines.filter { !$0.isEmpty }.map { line in
            guard let colon = line.firstIndex(of: ":") else { return (line, "") }
            let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            let end = value.lastIndex { $0 != " " && $0 != "\t" }
            return (String(line[..<colon]), end.map { String(value[...$0]) } ?? "")
        }
    }
}

extension ReceivedRequest: CustomStringConvertible {
    /// The request line and the size of the body.
    public var description: String {
        "connection \(connection): \(method) \(target), body of \(body.count) bytes" + (isComplete ? "" : ", incomplete")
    }
}
