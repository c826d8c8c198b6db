internal import SortieBase
internal import Synchronization

/// A body decoded to UTF-8 from another encoding, in steps and on demand.
///
/// Copies of a view share it. The result depends on the bytes alone, so the order of calls by different copies makes no difference.
package final class DecodedText: Sendable {
    /// The maximum size, in bytes, of a body that is decoded for a view.
    package static let sizeLimit = 256 << 20

    /// The state of the decoding.
    package struct Snapshot: Sendable {
        /// The text so far, in UTF-8.
        package var text = BodyBytes.empty
        /// The number of body bytes read.
        package var seen = 0
        /// The number of invalid sequences.
        package var invalidSequences = 0
        /// Whether the whole body is decoded.
        package var isComplete = false

        /// Creates a snapshot; by default, that of a decoding that has not started.
        package init(text: BodyBytes = .empty, seen: Int = 0, invalidSequences: Int = 0, isComplete: Bool = false) {
            (self.text, self.seen, self.invalidSequences, self.isComplete) = (text, seen, invalidSequences, isComplete)
        }
    }

    private struct State {
        let decoder: CharsetDecoder
        var block = MemoryBlock(capacity: 0)
        var read: Int
        var written = 0
        var snapshot = Snapshot()
    }

    private let state: Mutex<State>

    /// Creates a decoding that has not started; nil where the encoding is not supported on this machine.
    ///
    /// - Parameter skipped: The number of bytes at the start that are not text: a byte order mark.
    package init?(_ encoding: TextEncoding, skipping skipped: Int) {
        guard let decoder = CharsetDecoder(encoding) else { return nil }
        state = Mutex(State(decoder: decoder, read: skipped))
    }

    /// Continues until `limit` bytes of the body are read.
    ///
    /// - Parameters:
    ///   - body: The bytes of the body, which begin with those of every earlier call.
    ///   - isFinal: Whether `body` is complete.
    package func advance(over body: BodyBytes, to limit: Int, isFinal: Bool) -> Snapshot {
        state.withLock { state in
            let limit = min(limit, body.count)
            let isEnd = isFinal && limit == body.count
            guard !state.snapshot.isComplete, limit > state.snapshot.seen || isEnd else { return state.snapshot }
            // The read position is at most an incomplete character before `limit`. Memory is reserved for the rest of the body, so that the
            // block is replaced only when the body grows.
            let need = state.written + max(0, body.count - state.read) * CharsetDecoder.expansion + CharsetDecoder.spare
            if state.block.capacity < need { state.block = MemoryBlock(copying: state.block, count: state.written, capacity: need) }
            let room = UnsafeMutableRawBufferPointer(start: state.block.start + state.written, count: state.block.capacity - state.written)
            let made = body.withUnsafeBytes(in: min(state.read, limit)..<limit) { state.decoder.decode($0, isEnd: isEnd, into: room) }
            state.read += made.read
            state.written += made.written
            state.snapshot = Snapshot(
                text: BodyBytes(owner: state.block, pointer: UnsafeRawPointer(state.block.start), count: state.written), seen: limit,
                invalidSequences: state.decoder.invalidSequences, isComplete: isEnd)
            return state.snapshot
        }
    }
}

extension TextEncoding {
    /// Creates the encoding of a label in a header or a document; nil when it is unknown.
    package init?(label: String) {
        switch BodyCharset.plain(label) {
        case "utf8", "usascii", "ascii", "unicode11utf8": self = .utf8
        case "iso88591", "latin1", "l1", "windows1252", "cp1252", "xcp1252", "ansix3.4": self = .windows1252
        // RFC 2781 §4.3 assumes big-endian for text without a mark; on the web, such text is little-endian.
        case "utf16le", "utf16", "unicode", "ucs2", "iso10646ucs2": self = .utf16LittleEndian
        case "utf16be": self = .utf16BigEndian
        default:
            guard let charset = BodyCharset(label: label) else { return nil }
            self = .other(charset)
        }
    }

    /// The encoding of a body, from its byte order mark, then the charset of its Content-Type, then the declaration in an XML or HTML document
    /// (WHATWG HTML §13.2.3); nil without any of these.
    ///
    /// RFC 8259 §8.1 and §11: JSON is UTF-8 regardless of a charset parameter, so bytes that are valid UTF-8 and not all ASCII are read as UTF-8.
    ///
    /// - Parameter isWhole: Whether `start` is the whole body.
    package static func declared(by type: ContentType, _ start: [UInt8], isWhole: Bool) -> TextEncoding? {
        if let mark = byteOrderMark(start) { return mark }
        if type.kind == .json {
            if let found = utf16WithoutMark(start) { return found }
            if let encoding = type.encoding, !encoding.isUTF16, encoding != .utf8, !isUTF8(start, isWhole: isWhole) { return encoding }
            return nil
        }
        guard let encoding = type.encoding else { return ofDocument(type, start) }
        return encoding.isUTF16 ? utf16WithoutMark(start) ?? encoding : encoding
    }

    /// Whether the bytes are UTF-8 with non-ASCII characters; the last character may be incomplete where they are not the whole body.
    private static func isUTF8(_ start: [UInt8], isWhole: Bool) -> Bool {
        guard start.contains(where: { $0 >= 0x80 }), let last = start.lastIndex(where: { $0 & 0xC0 != 0x80 }) else { return false }
        let first = start[last]
        let length = first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        let isCut = !isWhole && start.count - last < length
        return String(validating: isCut ? start[..<last] : start[...], as: UTF8.self) != nil
    }

    private static func byteOrderMark(_ start: [UInt8]) -> TextEncoding? {
        if start.starts(with: [0xEF, 0xBB, 0xBF]) { return .utf8 }
        if start.starts(with: [0xFF, 0xFE]) { return .utf16LittleEndian }
        if start.starts(with: [0xFE, 0xFF]) { return .utf16BigEndian }
        return nil
    }

    /// Detects UTF-16 without a mark: JSON begins with two ASCII characters or is one, so a NUL next to the first identifies it (RFC 4627 §3).
    private static func utf16WithoutMark(_ start: [UInt8]) -> TextEncoding? {
        guard start.count >= 2, start.count % 2 == 0 || start.count == BodyKind.sniffedBytes else { return nil }
        if start[0] != 0, start[1] == 0 { return .utf16LittleEndian }
        if start[0] == 0, start[1] != 0 { return .utf16BigEndian }
        return nil
    }

    /// The encoding in an XML declaration (XML 1.0 §4.3.3) or in a `meta` element within the first 1024 bytes of HTML (WHATWG HTML §13.2.3.2).
    private static func ofDocument(_ type: ContentType, _ start: [UInt8]) -> TextEncoding? {
        guard type.kind != .text, type.kind != .binary, start.first(where: { $0 > 0x20 }) == UInt8(ascii: "<") else { return nil }
        let head = String(String.UnicodeScalarView(start.prefix(1024).map { Unicode.Scalar($0) })).lowercased()
        var label: Substring?
        if head.hasPrefix("<?xml"), let end = head.firstRange(of: "?>") {
            label = value(of: "encoding", in: head[..<end.lowerBound])
        } else if type.kind != .xml {
            label = head.split(separator: "<").lazy.filter { $0.hasPrefix("meta") }.compactMap { value(of: "charset", in: $0) }.first
        }
        guard let label, let encoding = TextEncoding(label: String(label)) else { return nil }
        // A document whose declaration is readable as ASCII is not in UTF-16, even if it declares it.
        return encoding.isUTF16 ? .utf8 : encoding
    }

    /// The value after `name=`, without quotes.
    private static func value(of name: String, in text: Substring) -> Substring? {
        guard let found = text.firstRange(of: name) else { return nil }
        let rest = text[found.upperBound...].drop { $0 == " " }
        guard rest.first == "=" else { return nil }
        let label = rest.dropFirst().drop { $0 == " " || $0 == "\"" || $0 == "'" }
        return label.prefix { !" \"';/>?\t\r\n".contains($0) }
    }
}
