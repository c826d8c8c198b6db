internal import BodyViews
internal import SortieBase

/// Finds a text or a regular expression in lines.
///
/// A text without capitals ignores case.
struct LineSearch {
    /// The greatest number of steps for one line.
    private static let stepLimit = 200_000

    let searchTerm: String
    private let ignoresCase: Bool
    /// The regular expression; nil for a text.
    private let pattern: PatternSearch?
    /// Whether the text is an invalid regular expression, which matches nothing.
    let isInvalid: Bool

    init(searchTerm: String, mode: SearchMode = SearchMode()) {
        self.searchTerm = searchTerm
        let search = mode.search(searchTerm)
        ignoresCase = mode == SearchMode() ? !searchTerm.contains { $0.isUppercase } : search.isCaseInsensitive
        do throws(PatternError) {
            pattern = try search.pattern().map { PatternSearch($0) }
            isInvalid = false
        } catch {
            (pattern, isInvalid) = (nil, true)
        }
    }

    func matches(_ line: String) -> Bool {
        guard !searchTerm.isEmpty, !isInvalid else { return false }
        guard pattern != nil else { return ignoresCase ? line.lowercased().contains(searchTerm.lowercased()) : line.contains(searchTerm) }
        return !ranges(in: line).isEmpty
    }

    /// The matches in a line, in order and without overlaps.
    func ranges(in line: String) -> [Range<String.Index>] {
        guard !searchTerm.isEmpty, !isInvalid else { return [] }
        guard let pattern else { return plainRanges(in: line) }
        var line = line
        var steps = Self.stepLimit
        let found = line.withUTF8 { bytes in
            var found: [Range<Int>] = []
            let buffer = UnsafeRawBufferPointer(bytes)
            var start = 0
            // The rest of a line that exceeds the budget is not searched.
            do throws(PatternError) {
                while let match = try pattern.first(in: buffer, 0..<buffer.count, from: start, steps: &steps, isStopped: { false }) {
                    found.append(match)
                    start = match.upperBound
                }
            } catch {}
            return found
        }
        return found.map { line.utf8.index(line.startIndex, offsetBy: $0.lowerBound)..<line.utf8.index(line.startIndex, offsetBy: $0.upperBound) }
    }

    private func plainRanges(in line: String) -> [Range<String.Index>] {
        var found: [Range<String.Index>] = []
        let wanted = Array(ignoresCase ? searchTerm.lowercased() : searchTerm)
        let indices = Array(line.indices)
        let characters = indices.map { ignoresCase ? line[$0].lowercased() : String(line[$0]) }
        guard !wanted.isEmpty, characters.count >= wanted.count else { return [] }
        var start = 0
        while start + wanted.count <= characters.count {
            if (0..<wanted.count).allSatisfy({ characters[start + $0] == String(wanted[$0]) }) {
                let end = start + wanted.count
                found.append(indices[start]..<(end < indices.count ? indices[end] : line.endIndex))
                start = end
            } else {
                start += 1
            }
        }
        return found
    }

    /// The index of the next matching line, wrapping around.
    func next(in count: Int, from start: Int, forward: Bool, includingStart: Bool, line: (Int) -> String) -> Int? {
        guard count > 0, !searchTerm.isEmpty else { return nil }
        let first = includingStart ? 0 : 1
        for distance in first...count {
            let index = ((start + (forward ? distance : -distance)) % count + count) % count
            if matches(line(index)) { return index }
        }
        return nil
    }
}
