internal import Model

/// Where the bytes of a request's body, or of one of its parts, come from during one attempt.
///
/// Used on the engine's thread only.
final class BodySource {
    private enum Content {
        case bytes([UInt8])
        case file(SentFile)
    }

    /// How many bytes there are; nil when that shows at their end.
    let count: Int64?
    /// How many of them were read.
    private(set) var offset: Int64 = 0
    private let content: Content

    /// Bytes in memory.
    init(bytes: [UInt8]) {
        content = .bytes(bytes)
        count = Int64(bytes.count)
    }

    /// A file, from its first byte.
    init(file: SentFile) throws(NetworkError) {
        try file.begin()
        content = .file(file)
        count = file.count
    }

    /// The pipe to wait for; nil for what is always there.
    var pipe: SentFile? {
        if case .file(let file) = content, !file.isSeekable { file } else { nil }
    }

    /// Fills `buffer` with what follows.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> SentFile.Piece {
        let piece: SentFile.Piece
        switch content {
        case .bytes(let bytes):
            let wanted = min(buffer.count, bytes.count - Int(offset))
            guard wanted > 0 else { return .end }
            bytes.withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[Int(offset)..<Int(offset) + wanted])) }
            piece = .bytes(wanted)
        case .file(let file):
            piece = file.read(into: buffer, at: offset)
        }
        if case .bytes(let got) = piece { offset += Int64(got) }
        return piece
    }

    private var isSeekable: Bool {
        if case .file(let file) = content { file.isSeekable } else { true }
    }

    /// Begins again at `offset`; false where that is gone.
    func seek(to offset: Int64) -> Bool {
        guard offset != self.offset else { return true }
        guard offset >= 0, isSeekable, count.map({ offset <= $0 }) ?? true else { return false }
        self.offset = offset
        return true
    }
}
