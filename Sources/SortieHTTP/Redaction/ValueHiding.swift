/// Masks the values of secrets in bytes that come in pieces, also where one lies across the border of two pieces.
struct ValueHiding {
    private let matcher: ValueMatcher
    /// The end of what came, in which a value may have begun.
    private var rest: [UInt8] = []
    /// How many bytes of ``rest`` a mask that was handed out stands for.
    private var covered = 0
    /// How many bytes are looked at in one go, at least: the end of each go is looked at twice.
    private let step: Int

    private static let mask = Array(HeaderField.mask.utf8)

    /// Hides values however they are spelled, in UTF-8 and in the encoding of the old web.
    init(_ spellings: HiddenSpellings, step: Int? = nil) {
        matcher = spellings.matcher
        self.step = step ?? max(64 << 10, 4 * matcher.longest)
    }

    /// Takes a piece and hands out what is certain.
    package mutating func append(_ piece: UnsafeRawBufferPointer, into write: (UnsafeRawBufferPointer) -> Void) {
        guard !matcher.isEmpty else { return write(piece) }
        rest.append(contentsOf: piece)
        guard rest.count >= step else { return }
        handOut(upTo: rest.count - (matcher.longest - 1), into: write)
    }

    /// Hands out the end.
    package mutating func finish(into write: (UnsafeRawBufferPointer) -> Void) {
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
        var found = matcher.ranges(in: bytes)[...]
        guard covered > 0 else { return Array(found) }
        var end = covered
        while let first = found.first, first.lowerBound < end {
            end = max(end, first.upperBound)
            found = found.dropFirst()
        }
        return [0..<end] + found
    }
}
