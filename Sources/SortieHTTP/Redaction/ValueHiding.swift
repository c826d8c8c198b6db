/// Masks the values of secrets in a stream of bytes, also across the borders of pieces.
struct ValueHiding {
    private let spellings: HiddenSpellings
    /// The end of the input so far, in which a value may begin.
    private var rest: [UInt8] = []
    /// The number of bytes of ``rest`` that a written mask replaces.
    private var covered = 0
    /// The minimum number of bytes that are searched at once; the end of each part is searched twice.
    private let step: Int
    private var output: MaskWriting

    /// Hides values in every spelling, in UTF-8 and in windows-1252.
    ///
    /// - Parameter rule: the notation of the bytes, which determines how a mask is written.
    init(_ spellings: HiddenSpellings, in rule: MaskingRule, step: Int? = nil) {
        self.spellings = spellings
        output = MaskWriting(rule)
        self.step = step ?? max(64 << 10, 4 * spellings.longest)
    }

    /// Appends a piece and writes the bytes that cannot be part of a later value.
    package mutating func append(_ piece: UnsafeRawBufferPointer, into write: (UnsafeRawBufferPointer) -> Void) {
        guard !spellings.isEmpty else { return write(piece) }
        rest.append(contentsOf: piece)
        guard rest.count >= step else { return }
        handOut(upTo: rest.count - (spellings.longest - 1), into: write)
    }

    /// Writes the remaining bytes.
    package mutating func finish(into write: (UnsafeRawBufferPointer) -> Void) {
        handOut(upTo: rest.count, into: write)
        output.finish(into: write)
    }

    /// Writes the bytes before `end`; a value that begins before it is masked as a whole.
    private mutating func handOut(upTo end: Int, into write: (UnsafeRawBufferPointer) -> Void) {
        guard end > 0 else { return }
        let hidden = rest.withUnsafeBytes { hiddenRanges(in: $0) }
        var written = 0
        var pending = 0
        var output = output
        rest.withUnsafeBytes { bytes in
            for range in hidden where range.lowerBound < end {
                if range.lowerBound > written { output.write(bytes[rebased: written..<range.lowerBound], into: write) }
                // A mask that was already written replaces this value as well.
                let isContinued = range.lowerBound == 0 && covered > 0
                let start = isContinued ? covered : range.lowerBound
                output.hide(bytes[rebased: start..<range.upperBound], isContinued: isContinued, into: write)
                written = range.upperBound
            }
            if written < end {
                output.write(bytes[rebased: written..<end], into: write)
                written = end
            }
            // Kept although it is masked, because another value may begin in the end of this one.
            let kept = max(end, 0)
            pending = max(0, written - kept)
            written = min(written, kept)
        }
        self.output = output
        rest.removeFirst(written)
        covered = pending
    }

    /// The ranges of values; overlapping ranges are merged.
    private func hiddenRanges(in bytes: UnsafeRawBufferPointer) -> [Range<Int>] {
        var found = spellings.ranges(in: bytes)[...]
        guard covered > 0 else { return Array(found) }
        var end = covered
        while let first = found.first, first.lowerBound < end {
            end = max(end, first.upperBound)
            found = found.dropFirst()
        }
        return [0..<end] + found
    }
}
