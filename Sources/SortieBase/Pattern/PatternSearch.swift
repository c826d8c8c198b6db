/// Finds the matches of a regular expression in bytes of UTF-8.
///
/// The search follows all possibilities at once, as ``TextPattern`` does, so that its time is proportional to the length of the text.
package struct PatternSearch: Sendable {
    private let pattern: TextPattern
    /// The bytes with which a match can begin.
    private let firstBytes: [Bool]

    /// The bytes between two questions whether the search is to be stopped, times the number of followed possibilities.
    private static let stepsPerCheck = 50_000

    /// Prepares a search.
    package init(_ pattern: TextPattern) {
        self.pattern = pattern
        firstBytes = Self.firstBytes(of: pattern)
    }

    /// The first match that begins at `start` or later and is not empty.
    ///
    /// Of several matches that begin at the same byte, the one is found that backtracking would find first. The range is one line for `^` and `$`.
    ///
    /// - Parameters:
    ///   - range: The bytes to search.
    ///   - start: An offset within the range. What precedes it in the range determines `^` and `\b`.
    ///   - steps: What is left of the budget; the steps of this search are subtracted.
    ///   - isStopped: Called about once for each ``stepsPerCheck``.
    /// - Throws: a ``PatternError`` when the budget is exhausted or the search was stopped.
    package func first(
        in bytes: UnsafeRawBufferPointer, _ range: Range<Int>, from start: Int, steps: inout Int, isStopped: () -> Bool
    ) throws(PatternError) -> Range<Int>? {
        var current = ThreadList(capacity: pattern.instructions.count)
        var following = ThreadList(capacity: pattern.instructions.count)
        var waiting: [Int] = []
        var found: Range<Int>?
        var position = start
        var previous = Self.before(start, bytes, range)
        var sinceCheck = 0
        while true {
            if current.isEmpty, found == nil {
                let skipped = skip(bytes, position..<range.upperBound)
                if skipped > position {
                    position = skipped
                    previous = Self.before(position, bytes, range)
                }
            }
            let next = Self.after(position, bytes, range)
            if found == nil {
                let isLast = next.map { position + $0.length == range.upperBound } ?? false
                try follow(0, start: position, &current, &waiting, previous, next?.scalar, isLast: isLast, &steps)
            }
            guard !current.isEmpty else { return found }
            let end = position + (next?.length ?? 0)
            let upcoming = next == nil ? nil : Self.after(end, bytes, range)
            let isLast = upcoming.map { end + $0.length == range.upperBound } ?? false
            sinceCheck += current.count + 1
            if sinceCheck > Self.stepsPerCheck {
                sinceCheck = 0
                if isStopped() { throw PatternError("the search was stopped") }
            }
            for index in 0..<current.count {
                let thread = current[index]
                if case .found = pattern.instructions[thread.place] {
                    guard thread.start < position else { continue }
                    found = thread.start..<position
                    break  // those that follow have a lower precedence
                }
                guard let scalar = next?.scalar, matches(thread.place, scalar) else { continue }
                try follow(thread.place + 1, start: thread.start, &following, &waiting, scalar, upcoming?.scalar, isLast: isLast, &steps)
            }
            guard let next else { return found }
            swap(&current, &following)
            following.removeAll()
            (previous, position) = (next.scalar, end)
        }
    }

    /// The first byte of a range with which a match can begin; its end where there is none.
    private func skip(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int {
        var position = range.lowerBound
        while position < range.upperBound, !firstBytes[Int(bytes[position])] { position += 1 }
        return position
    }

    private func matches(_ place: Int, _ scalar: Unicode.Scalar) -> Bool {
        switch pattern.instructions[place] {
        case .scalar(let wanted): scalar == wanted
        case .folded(let wanted): TextPattern.folded(scalar) == wanted
        case .any: true
        case .anyButLineBreak: scalar != "\n" && scalar != "\r"
        case .set(let index): pattern.sets[index].contains(scalar)
        case .split, .jump, .assertion, .found: false
        }
    }

    /// Adds a place and all that are reached from it without a character, in the order of their precedence.
    private func follow(
        _ place: Int, start: Int, _ list: inout ThreadList, _ waiting: inout [Int], _ previous: Unicode.Scalar?, _ next: Unicode.Scalar?,
        isLast: Bool, _ steps: inout Int
    ) throws(PatternError) {
        waiting.append(place)
        while let place = waiting.popLast() {
            guard list.insert(place, start: start) else { continue }
            steps -= 1
            guard steps > 0 else {
                waiting.removeAll(keepingCapacity: true)
                throw .exhausted
            }
            switch pattern.instructions[place] {
            case .jump(let target): waiting.append(target)
            case .split(let first, let second):
                waiting.append(second)
                waiting.append(first)
            case .assertion(let assertion): if assertion.holds(previous, next, isLast: isLast) { waiting.append(place + 1) }
            case .found, .scalar, .folded, .any, .anyButLineBreak, .set: break
            }
        }
    }

    // MARK: Characters

    /// The character at an offset; U+FFFD with one byte where the bytes are not UTF-8.
    private static func after(_ offset: Int, _ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> (scalar: Unicode.Scalar, length: Int)? {
        guard offset < range.upperBound else { return nil }
        let byte = bytes[offset]
        if byte < 0x80 { return (Unicode.Scalar(byte), 1) }
        let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2
        guard byte >= 0xC2, byte < 0xF5, offset + length <= range.upperBound else { return ("\u{FFFD}", 1) }
        var value = UInt32(byte) & (0xFF >> UInt32(length + 1))
        for index in 1..<length {
            guard bytes[offset + index] & 0xC0 == 0x80 else { return ("\u{FFFD}", 1) }
            value = value << 6 | UInt32(bytes[offset + index] & 0x3F)
        }
        let least: UInt32 = length == 4 ? 0x10000 : length == 3 ? 0x800 : 0x80
        guard value >= least, let scalar = Unicode.Scalar(value) else { return ("\u{FFFD}", 1) }
        return (scalar, length)
    }

    /// The character before an offset; nil at the start of the range.
    private static func before(_ offset: Int, _ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Unicode.Scalar? {
        guard offset > range.lowerBound else { return nil }
        var start = offset - 1
        while start > range.lowerBound, offset - start < 4, bytes[start] & 0xC0 == 0x80 { start -= 1 }
        guard let (scalar, length) = after(start, bytes, range), start + length == offset else { return "\u{FFFD}" }
        return scalar
    }

    private static func firstBytes(of pattern: TextPattern) -> [Bool] {
        var first = [Bool](repeating: false, count: 256)
        var seen: Set<Int> = []
        var waiting = [0]
        func addOthers() { for byte in 0x80...0xFF { first[byte] = true } }
        while let place = waiting.popLast() {
            guard seen.insert(place).inserted else { continue }
            switch pattern.instructions[place] {
            case .jump(let target): waiting.append(target)
            case .split(let one, let other): waiting += [one, other]
            case .assertion: waiting.append(place + 1)
            case .found: break
            case .any, .anyButLineBreak: return [Bool](repeating: true, count: 256)
            case .scalar(let scalar): if let byte = String(scalar).utf8.first { first[Int(byte)] = true }
            case .folded(let scalar):
                for byte in 0..<0x80 where TextPattern.folded(Unicode.Scalar(UInt8(byte))) == scalar { first[byte] = true }
                // Some characters outside of ASCII have a lower case in it: U+212A is k.
                addOthers()
            case .set(let index):
                for byte in 0..<0x80 where pattern.sets[index].contains(Unicode.Scalar(UInt8(byte))) { first[byte] = true }
                addOthers()
            }
        }
        // A character that is not UTF-8 is matched as U+FFFD.
        if first[0xEF] { addOthers() }
        return first
    }
}

/// The possibilities that are followed, in the order of their precedence, at most one for each place.
private struct ThreadList {
    private var threads: [(place: Int, start: Int)]
    private var sparse: [Int]
    private(set) var count = 0

    init(capacity: Int) {
        threads = [(place: Int, start: Int)](repeating: (0, 0), count: capacity)
        sparse = [Int](repeating: 0, count: capacity)
    }

    var isEmpty: Bool { count == 0 }

    subscript(position: Int) -> (place: Int, start: Int) { threads[position] }

    /// Whether the place was not in the list.
    mutating func insert(_ place: Int, start: Int) -> Bool {
        let position = sparse[place]
        if position < count, threads[position].place == place { return false }
        threads[count] = (place, start)
        sparse[place] = count
        count += 1
        return true
    }

    mutating func removeAll() { count = 0 }
}
