internal import SortieBase

/// Finds the occurrences of many byte sequences in one pass.
///
/// Examines two bytes at a time and skips as many bytes as no sequence can begin in (Wu and Manber, “A fast algorithm for multi-pattern
/// searching”, 1994).
struct ValueMatcher: Sendable {
    /// The length of the longest sequence in bytes; 0 without sequences.
    package private(set) var longest = 0
    /// The concatenated bytes of all sequences.
    private var bytes: [UInt8] = []
    /// The start offset of each sequence, and the end of the last one.
    private var starts: [Int32] = [0]
    /// The number of bytes of each sequence that are examined before it is compared: the length of the shortest one, at most ``largestWindow``.
    private var window = 0
    /// For each pair of bytes, its distance from the end of a window that contains it.
    private var shifts: [UInt8] = []
    /// For each pair of bytes, the first sequence whose window ends with it; for each sequence, the next one.
    ///
    /// -1 ends the list.
    private var heads: [Int32] = []
    private var nexts: [Int32] = []

    private static let largestWindow = 16
    private static let size = 1 << 12

    /// Whether there is nothing to find.
    package var isEmpty: Bool { starts.count == 1 }

    /// Adds sequences; sequences of fewer than two bytes are ignored.
    package mutating func add(_ sequences: some Sequence<[UInt8]>) {
        let first = starts.count - 1
        var shortest = Int.max
        for sequence in sequences where sequence.count > 1 {
            bytes += sequence
            starts.append(Int32(bytes.count))
            longest = max(longest, sequence.count)
            shortest = min(shortest, sequence.count)
        }
        guard starts.count - 1 > first else { return }
        let needed = min(shortest, Self.largestWindow)
        if window == 0 || needed < window {
            window = needed
            shifts = Array(repeating: UInt8(window - 1), count: Self.size)
            heads = Array(repeating: -1, count: Self.size)
            nexts = []
            for index in 0..<starts.count - 1 { enter(index) }
        } else {
            for index in first..<starts.count - 1 { enter(index) }
        }
    }

    private mutating func enter(_ index: Int) {
        let start = Int(starts[index])
        for end in 1..<window {
            let pair = Self.pair(bytes[start + end - 1], bytes[start + end])
            shifts[pair] = min(shifts[pair], UInt8(window - 1 - end))
            if end == window - 1 {
                nexts.append(heads[pair])
                heads[pair] = Int32(index)
            }
        }
    }

    private static func pair(_ first: UInt8, _ second: UInt8) -> Int { (Int(first) << 4 ^ Int(second)) & (size - 1) }

    /// The ranges of the sequences in `text`, in order; overlapping ranges are merged.
    func ranges(in text: UnsafeRawBufferPointer) -> [Range<Int>] {
        var found: [Range<Int>] = []
        guard window > 1, text.count >= window, let text = text.baseAddress.map({ UnsafeRawBufferPointer(start: $0, count: text.count) }) else {
            return found
        }
        shifts.withUnsafeBufferPointer { shifts in
            var end = window - 1
            while end < text.count {
                let pair = Self.pair(text[end - 1], text[end])
                let shift = Int(shifts[pair])
                if shift > 0 {
                    end += shift
                    continue
                }
                if let length = lengthOfLongest(pair, in: text, at: end - window + 1) {
                    let range = end - window + 1..<end - window + 1 + length
                    if let last = found.last, range.lowerBound < last.upperBound {
                        found[found.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
                    } else {
                        found.append(range)
                    }
                }
                end += 1
            }
        }
        return found
    }

    /// The length of the longest sequence at `place` whose window ends with a pair.
    private func lengthOfLongest(_ pair: Int, in text: UnsafeRawBufferPointer, at place: Int) -> Int? {
        var longest: Int?
        var index = heads[pair]
        while index >= 0 {
            let (start, end) = (Int(starts[Int(index)]), Int(starts[Int(index) + 1]))
            let count = end - start
            if count > longest ?? 0, place + count <= text.count, text[place] == bytes[start] {
                // At memory speed, because a text and a long sequence that repeat the same bytes are compared at many places.
                let shared = bytes.withUnsafeBytes {
                    UnsafeRawBufferPointer(rebasing: text[place..<place + count]).sharedPrefix(
                        with: UnsafeRawBufferPointer(rebasing: $0[start..<end]))
                }
                if shared == count { longest = count }
            }
            index = nexts[Int(index)]
        }
        return longest
    }
}
