internal import SortieHTTP
internal import SortieTerminal

/// Writes a body to stdout in pieces, also while it grows: its bytes for programs, and its text without control characters for a terminal.
struct BodyOutput {
    /// The size above which a body is not formatted for a terminal: the layout of 40 MB takes ten seconds.
    static let formattedLimit = 4 << 20

    /// The number of bytes that are converted and written at once; between two pieces a signal ends the output.
    private static let pieceSize = 256 << 10

    /// The number of bytes that were written.
    private(set) var written = 0
    private let output: StandardOutput
    private let isTerminal: Bool

    init(_ output: StandardOutput) {
        self.output = output
        isTerminal = output.isTerminal
    }

    /// Whether a body can be written to a terminal in pieces: text in UTF-8.
    static func isPlain(_ body: BodyBytes, contentType: String?) -> Bool {
        let (kind, encoding) = BodyKind.detect(ContentType(contentType), body, isFinal: false)
        return kind != .binary && kind != .empty && encoding == .utf8
    }

    /// Writes the next piece of the body.
    ///
    /// - Parameters:
    ///   - isComplete: whether the body does not grow any more.
    ///   - isCancelled: whether the rest is not needed any more.
    /// - Returns: False where nothing can be written before more of the body is known.
    mutating func writePiece(of body: BodyBytes, isComplete: Bool, until isCancelled: () -> Bool) -> Bool {
        let end = min(written + Self.pieceSize, body.count)
        guard written < end else { return false }
        let (isLast, isWhole) = (isComplete && end == body.count, end - written == Self.pieceSize)
        let count = body.withUnsafeBytes(in: written..<end) { bytes -> Int in
            guard isTerminal else {
                output.write(bytes, isEndless: !isComplete, until: isCancelled)
                return bytes.count
            }
            let count = isLast ? bytes.count : Self.visibleCount(bytes, isWhole: isWhole)
            output.write(VisibleText.of(String(decoding: bytes.prefix(count), as: UTF8.self)), isEndless: !isComplete, until: isCancelled)
            return count
        }
        body.releaseMemory()
        written += count
        return count > 0
    }

    /// The number of bytes that can be written before the following ones are known: complete lines, so that no character is divided.
    ///
    /// - Parameter isWhole: Whether the piece has its full size; a longer line is divided between two characters of ASCII, or anywhere.
    static func visibleCount(_ bytes: UnsafeRawBufferPointer, isWhole: Bool) -> Int {
        if let lineFeed = bytes.lastIndex(of: UInt8(ascii: "\n")) { return lineFeed + 1 }
        guard isWhole else { return 0 }
        return bytes.indices.dropFirst().last { bytes[$0] < 0x80 && bytes[$0 - 1] < 0x80 && bytes[$0 - 1] != 0x0D } ?? bytes.count
    }
}
