/// Masks the values of secrets in bytes that come in pieces, also where one lies across the border of two pieces.
struct ValueHiding {
    private let patterns: [BytePattern]
    private let longest: Int
    /// The end of what came, in which a value may have begun.
    private var rest: [UInt8] = []
    /// How many bytes of ``rest`` a mask that was handed out stands for.
    private var covered = 0

    private static let mask = Array(HeaderField.mask.utf8)

    /// Hides values however they are spelled, in UTF-8 and in the encoding of the old web.
    init(spellings: [String]) {
        var patterns = spellings.compactMap { BytePattern($0, ignoringCase: false, encoding: .utf8) }
        patterns += spellings.filter { !$0.utf8.allSatisfy { $0 < 0x80 } }
            .compactMap { BytePattern($0, ignoringCase: false, encoding: .windows1252) }
        self.patterns = patterns
        longest = patterns.map(\.longest).max() ?? 0
    }

    /// Takes a piece and hands out what is certain.
    mutating func append(_ piece: UnsafeRawBufferPointer, into write: (UnsafeRawBufferPointer) -> Void) {
        guard longest > 0 else { return write(piece) }
        rest.append(contentsOf: piece)
        handOut(upTo: rest.count - (longest - 1), into: write)
    }

    /// Hands out the end.
    mutating func finish(into write: (UnsafeRawBufferPointer) -> Void) {
        handOut(upTo: rest.count, into: write)
    }

    /// Hands out the bytes before `end`; a value that begins there is masked as a whole.
    private mutating func handOut(upTo end: Int, into write: (UnsafeRawBufferPointer) -> Void) {
        guard end > 0 else { return }
        let hidden = rest.withUnsafeBytes { hiddenRanges(in: $0) }
        var written = 0
        var pending = 0
        rest.withUnsafeBytes { bytes in
            for range in hidden where range.lowerBound < end {
                if range.lowerBound > written { write(bytes[rebased: written..<range.lowerBound]) }
                // A mask that was handed out before stands for this one, too.
                if range.lowerBound > 0 || covered == 0 { Self.mask.withUnsafeBytes { write($0) } }
                written = range.upperBound
            }
            if written < end {
                write(bytes[rebased: written..<end])
                written = end
            }
            // Kept although it is masked: another value may begin in the end of this one.
            let kept = max(end, 0)
            pending = max(0, written - kept)
            written = min(written, kept)
        }
        rest.removeFirst(written)
        covered = pending
    }

    /// Where values are, those that overlap as one.
    private func hiddenRanges(in bytes: UnsafeRawBufferPointer) -> [Range<Int>] {
        var found: [Range<Int>] = covered > 0 ? [0..<covered] : []
        for pattern in patterns {
            var start = 0
            while let match = pattern.first(in: bytes, start..<bytes.count) {
                found.append(match)
                start = match.lowerBound + 1
            }
        }
        var result: [Range<Int>] = []
        for range in found.sorted(by: { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }) {
            if let last = result.last, range.lowerBound < last.upperBound {
                result[result.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                result.append(range)
            }
        }
        return result
    }
}
