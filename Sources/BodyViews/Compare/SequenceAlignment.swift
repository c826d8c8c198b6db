/// Aligns two sequences at equal elements: a longest common subsequence, or an approximation where that would take too long.
///
/// Elements that only one side has are removed first. The rest is compared with the algorithm of E. Myers (An O(ND) Difference Algorithm, 1986), up
/// to a number of differences. Beyond that, elements that occur once on each side serve as anchors, as in a patience diff.
struct SequenceAlignment {
    /// A pair of positions.
    struct Match: Hashable {
        let left: Int
        let right: Int
    }

    /// The maximum number of differences in an exact comparison, whose time and memory grow with the square of this number.
    static let differenceLimit = 1000

    private let left: [Int]
    private let right: [Int]
    private var matches: [Match] = []
    /// The number of steps that may still be taken.
    private var budget = 16_000_000

    private init(left: [Int], right: [Int]) {
        (self.left, self.right) = (left, right)
    }

    /// The pairs of equal elements, in order.
    ///
    /// - Parameters:
    ///   - left: The elements of the left sequence, as numbers that are equal for equal elements.
    ///   - right: The elements of the right sequence, in the same form.
    static func matches(_ left: [Int], _ right: [Int]) -> [Match] {
        let (onLeft, onRight) = (Set(left), Set(right))
        let leftPlaces = left.indices.filter { onRight.contains(left[$0]) }
        let rightPlaces = right.indices.filter { onLeft.contains(right[$0]) }
        var alignment = SequenceAlignment(left: leftPlaces.map { left[$0] }, right: rightPlaces.map { right[$0] })
        alignment.align(0..<leftPlaces.count, 0..<rightPlaces.count)
        return alignment.matches.map { Match(left: leftPlaces[$0.left], right: rightPlaces[$0.right]) }
    }

    private mutating func align(_ leftRange: Range<Int>, _ rightRange: Range<Int>) {
        var (leftRange, rightRange) = (leftRange, rightRange)
        while let first = leftRange.first, let other = rightRange.first, left[first] == right[other] {
            matches.append(Match(left: first, right: other))
            (leftRange, rightRange) = (leftRange.dropFirst(), rightRange.dropFirst())
        }
        var tail: [Match] = []
        while let last = leftRange.last, let other = rightRange.last, left[last] == right[other] {
            tail.append(Match(left: last, right: other))
            (leftRange, rightRange) = (leftRange.dropLast(), rightRange.dropLast())
        }
        if !leftRange.isEmpty, !rightRange.isEmpty {
            if let found = shortest(leftRange, rightRange) {
                matches += found
            } else {
                alignAtAnchors(leftRange, rightRange)
            }
        }
        matches += tail.reversed()
    }

    // MARK: Myers

    /// The pairs of a shortest edit script; nil when the script has too many steps.
    private mutating func shortest(_ leftRange: Range<Int>, _ rightRange: Range<Int>) -> [Match]? {
        let (width, height) = (leftRange.count, rightRange.count)
        let most = min(width + height, Self.differenceLimit)
        // The farthest column on each diagonal, for each number of differences; diagonal k has the index k + differences + 1.
        var rows: [[Int32]] = []
        var last: [Int32] = [0, 0, 0]
        for differences in 0...most {
            budget -= differences + 1
            guard budget > 0 else { return nil }
            var row = [Int32](repeating: 0, count: 2 * differences + 3)
            for diagonal in stride(from: -differences, through: differences, by: 2) {
                let x = step(last, diagonal, differences)
                var (column, line) = (x, x - diagonal)
                while column < width, line < height, left[leftRange.lowerBound + column] == right[rightRange.lowerBound + line] {
                    (column, line) = (column + 1, line + 1)
                }
                row[diagonal + differences + 1] = Int32(column)
                if column >= width, line >= height {
                    rows.append(row)
                    return trace(rows, leftRange, rightRange)
                }
            }
            rows.append(row)
            last = row
        }
        return nil
    }

    /// The first column on a diagonal of a path with this number of differences, which comes from a neighbouring diagonal with one difference less.
    private func step(_ last: [Int32], _ diagonal: Int, _ differences: Int) -> Int {
        guard differences > 0 else { return 0 }
        // In the previous row, diagonal k has the index k + (differences - 1) + 1.
        let below = diagonal - 1 >= -(differences - 1) ? Int(last[diagonal - 1 + differences]) + 1 : -1
        let beside = diagonal + 1 <= differences - 1 ? Int(last[diagonal + 1 + differences]) : -1
        return max(below, beside)
    }

    /// Follows the path back from the end and collects the matching elements.
    private func trace(_ rows: [[Int32]], _ leftRange: Range<Int>, _ rightRange: Range<Int>) -> [Match] {
        var found: [Match] = []
        var diagonal = leftRange.count - rightRange.count
        for differences in rows.indices.reversed() {
            let end = Int(rows[differences][diagonal + differences + 1])
            let start = step(differences > 0 ? rows[differences - 1] : [], diagonal, differences)
            for column in stride(from: end - 1, through: start, by: -1) {
                found.append(Match(left: leftRange.lowerBound + column, right: rightRange.lowerBound + column - diagonal))
            }
            guard differences > 0 else { break }
            let before = rows[differences - 1]
            let below = diagonal - 1 >= -(differences - 1) ? Int(before[diagonal - 1 + differences]) + 1 : -1
            diagonal += below == start ? -1 : 1
        }
        return found.reversed()
    }

    // MARK: Anchors

    /// Aligns at the elements that occur once on each side; without any, nothing is paired.
    private mutating func alignAtAnchors(_ leftRange: Range<Int>, _ rightRange: Range<Int>) {
        let onLeft = Self.places(left, leftRange)
        let onRight = Self.places(right, rightRange)
        let pairs = leftRange.compactMap { place -> Match? in
            guard onLeft[left[place]] == place, let other = onRight[left[place]], other >= 0 else { return nil }
            return Match(left: place, right: other)
        }
        var (nextLeft, nextRight) = (leftRange.lowerBound, rightRange.lowerBound)
        let anchors = Self.longestRising(pairs)
        for anchor in anchors {
            align(nextLeft..<anchor.left, nextRight..<anchor.right)
            matches.append(anchor)
            (nextLeft, nextRight) = (anchor.left + 1, anchor.right + 1)
        }
        if !anchors.isEmpty { align(nextLeft..<leftRange.upperBound, nextRight..<rightRange.upperBound) }
    }

    /// The position of each element; -1 where it occurs more than once.
    private static func places(_ elements: [Int], _ range: Range<Int>) -> [Int: Int] {
        var places: [Int: Int] = [:]
        for place in range { places[elements[place]] = places[elements[place]] == nil ? place : -1 }
        return places
    }

    /// The longest subsequence of the pairs, which are in order on the left, that is also in order on the right.
    private static func longestRising(_ pairs: [Match]) -> [Match] {
        var piles: [Int] = []
        var before = [Int](repeating: -1, count: pairs.count)
        for index in pairs.indices {
            var (low, high) = (0, piles.count)
            while low < high {
                let middle = (low + high) / 2
                if pairs[piles[middle]].right < pairs[index].right { low = middle + 1 } else { high = middle }
            }
            if low > 0 { before[index] = piles[low - 1] }
            if low == piles.count { piles.append(index) } else { piles[low] = index }
        }
        var rising: [Match] = []
        var index = piles.last ?? -1
        while index >= 0 {
            rising.append(pairs[index])
            index = before[index]
        }
        return rising.reversed()
    }
}
