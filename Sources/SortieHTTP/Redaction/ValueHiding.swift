internal import SortieBase

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
        var found = spellings.ranges(in: bytes, folding: .lines)[...]
        guard covered > 0 else { return Array(found) }
        var end = covered
        while let first = found.first, first.lowerBound < end {
            end = max(end, first.upperBound)
            found = found.dropFirst()
        }
        return [0..<end] + found
    }
}

/// Writes the masks of hidden values, and the bytes between them.
///
/// In JSON, a mask in the place of a value that is not a string is written as a string, so that the document stays JSON; a number with a hidden part is
/// replaced as a whole. In strings and in other text a mask has no quotes.
struct MaskWriting {
    /// The place behind the bytes so far; nil for a body without JSON.
    private var place: JSONPlace?
    /// Whether a value is held until its end is known.
    private var isHolding = false
    /// The bytes of the held value, with masks without quotes.
    private var held: [UInt8] = []
    /// Whether the held value has a mask.
    private var isMasked = false
    /// The number of open containers around the held value.
    private var depth = 0

    private static let mask = Array(HeaderField.mask.utf8)
    /// The number of bytes from which on a value is not held, because no number has as many.
    private static let longestHeld = 4096

    /// - Parameter rule: the notation of the body.
    init(_ rule: MaskingRule) {
        switch rule {
        case .json(let isLines): place = JSONPlace(isLines: isLines)
        case .events: place = JSONPlace(isLines: true, after: Redaction.eventStart)
        case .form, .text, .markup, .graphQL, .multipart, .encoded, .bytes: place = nil
        }
    }

    /// Writes bytes that are not hidden.
    mutating func write(_ bytes: UnsafeRawBufferPointer, into write: (UnsafeRawBufferPointer) -> Void) {
        guard var place, !place.isFinal else { return write(bytes) }
        settle(at: place, into: write)
        // The offset from which on the bytes are not written yet, and that of a value that has not ended.
        var start = 0
        var valueStart: Int?
        var offset = 0
        while offset < bytes.count {
            if place.state == .string {
                while offset < bytes.count, JSONPlace.isPlain(bytes[offset]) { offset += 1 }
                guard offset < bytes.count else { break }
            }
            let isBegin = place.state == .value && place.isInDocument
            place.read(bytes[offset])
            if place.state == .word {
                if isBegin { valueStart = offset }
            } else {
                valueStart = nil
                if isHolding {
                    // Without a mask, or where the text is no JSON, the bytes are written as they are.
                    held.append(contentsOf: bytes[rebased: start..<offset])
                    start = offset
                    release(asValue: place.state != .broken, into: write)
                }
            }
            offset += 1
        }
        if isHolding {
            held.append(contentsOf: bytes[rebased: start..<bytes.count])
            start = bytes.count
            if held.count > Self.longestHeld { release(asValue: false, into: write) }
        } else if let valueStart, bytes.count - valueStart <= Self.longestHeld {
            // The next bytes may be hidden.
            if valueStart > start { write(bytes[rebased: start..<valueStart]) }
            held.append(contentsOf: bytes[rebased: valueStart..<bytes.count])
            isHolding = true
            depth = place.depth
            start = bytes.count
        }
        if start < bytes.count { write(bytes[rebased: start..<bytes.count]) }
        self.place = place
    }

    /// Writes a mask for hidden bytes.
    ///
    /// - Parameter isContinued: whether the previous mask replaces these bytes as well.
    mutating func hide(_ bytes: UnsafeRawBufferPointer, isContinued: Bool, into write: (UnsafeRawBufferPointer) -> Void) {
        guard var place, !place.isFinal else {
            if !isContinued { Self.mask.withUnsafeBytes { write($0) } }
            return
        }
        if !isContinued {
            settle(at: place, into: write)
            if !isHolding, place.state == .value, place.isInDocument {
                isHolding = true
                depth = place.depth
            }
            if isHolding {
                held += Self.mask
                isMasked = true
            } else {
                Self.mask.withUnsafeBytes { write($0) }
            }
        }
        place.read(bytes)
        self.place = place
        if place.state == .broken { release(asValue: false, into: write) }
    }

    /// Writes what is held at the end of the body.
    mutating func finish(into write: (UnsafeRawBufferPointer) -> Void) {
        guard let place else { return }
        settle(at: place, into: write)
        release(asValue: true, into: write)
    }

    /// Writes a mask without quotes where the hidden bytes were not one value: they ended in a string, or with another number of open containers.
    private mutating func settle(at place: JSONPlace, into write: (UnsafeRawBufferPointer) -> Void) {
        guard isMasked else { return }
        let isBehindValue = place.state == .word || place.state == .text || place.state == .end
        if !isBehindValue || place.depth != depth { release(asValue: false, into: write) }
    }

    /// Writes the held value; as a string where it has a mask and is a value of JSON.
    private mutating func release(asValue: Bool, into write: (UnsafeRawBufferPointer) -> Void) {
        guard isHolding else { return }
        (isMasked && asValue ? Redaction.quotedMask : held).withUnsafeBytes { write($0) }
        held.removeAll(keepingCapacity: true)
        isHolding = false
        isMasked = false
    }
}
