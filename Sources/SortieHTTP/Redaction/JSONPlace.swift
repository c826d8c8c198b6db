/// The place in JSON that arrives byte by byte, as far as a mask depends on it.
///
/// Names and values of objects are not distinguished, and the spelling of literals is not verified. After the first byte that is invalid in JSON, the
/// rest is other text; in lines of JSON, up to the end of the line.
struct JSONPlace {
    enum State: Equatable {
        /// In the bytes before the JSON of a line, of which this number was read.
        case prefix(Int)
        /// Before a name, a value or the end of a container.
        case value
        /// In a number, `true`, `false` or `null`.
        case word
        /// Behind a string, which may be a name.
        case text
        /// Behind another value.
        case end
        case string, escape
        /// No JSON.
        case broken
    }

    private(set) var state: State
    /// The number of open containers.
    private(set) var depth = 0
    private let isLines: Bool
    /// The bytes before the JSON of each line; other lines are no JSON.
    private let prefix: [UInt8]

    /// - Parameters:
    ///   - isLines: Whether each line is a separate JSON document.
    ///   - prefix: The bytes before the JSON of each line.
    init(isLines: Bool, after prefix: [UInt8] = []) {
        (self.isLines, self.prefix) = (isLines, prefix)
        state = prefix.isEmpty ? .value : .prefix(0)
    }

    /// Whether no later byte can change the state.
    var isFinal: Bool { state == .broken && !isLines }
    /// Whether a value at this place is in JSON: behind a prefix, a line without a container may be other text.
    var isInDocument: Bool { depth > 0 || prefix.isEmpty }

    /// Whether a byte is part of a string and does not end it.
    static func isPlain(_ byte: UInt8) -> Bool { byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\") }

    /// Reads several bytes.
    mutating func read(_ bytes: UnsafeRawBufferPointer) {
        for byte in bytes { read(byte) }
    }

    /// Reads a byte.
    mutating func read(_ byte: UInt8) {
        switch state {
        case .prefix(let count):
            guard byte == prefix[count] else { return leave(byte) }
            state = count + 1 == prefix.count ? .value : .prefix(count + 1)
        case .string:
            switch byte {
            case UInt8(ascii: "\""): state = .text
            case UInt8(ascii: "\\"): state = .escape
            case 0..<0x20: leave(byte)
            default: break
            }
        case .escape: if byte < 0x20 { leave(byte) } else { state = .string }
        case .broken: leave(byte)
        case .value, .word, .text, .end: readStructure(byte)
        }
    }

    private mutating func readStructure(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): if state == .word { state = .end }
        case UInt8(ascii: "\n"):
            // Another text may follow.
            if depth == 0 { beginLine() } else if state == .word { state = .end }
        case UInt8(ascii: ","): move(to: .value, if: depth > 0 && state != .value, byte)
        case UInt8(ascii: ":"): move(to: .value, if: depth > 0 && state == .text, byte)
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            move(to: .value, if: state == .value, byte)
            if state != .broken { depth += 1 }
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            move(to: .end, if: depth > 0, byte)
            if state != .broken { depth -= 1 }
        case UInt8(ascii: "\""): move(to: .string, if: state == .value, byte)
        // A byte order mark, and the separator of records (RFC 7464 §2.2).
        case 0xEF, 0xBB, 0xBF, 0x1E: move(to: .value, if: depth == 0 && state == .value, byte)
        default: move(to: .word, if: Self.isInWord(byte) && (state == .value || state == .word), byte)
        }
    }

    private mutating func move(to next: State, if isAllowed: Bool, _ byte: UInt8) {
        if isAllowed { state = next } else { leave(byte) }
    }

    /// Leaves JSON, up to the end of the line where each line is a document.
    private mutating func leave(_ byte: UInt8) {
        if isLines, byte == UInt8(ascii: "\n") { beginLine() } else { state = .broken }
    }

    private mutating func beginLine() {
        state = prefix.isEmpty ? .value : .prefix(0)
        depth = 0
    }

    /// Whether a byte may be in a number, `true`, `false` or `null`.
    private static func isInWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "E"): true
        case UInt8(ascii: "a"), UInt8(ascii: "e"), UInt8(ascii: "f"), UInt8(ascii: "l"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "s"),
            UInt8(ascii: "t"), UInt8(ascii: "u"):
            true
        default: false
        }
    }
}
