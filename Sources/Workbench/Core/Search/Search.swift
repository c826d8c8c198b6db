/// The places with a search text of their own.
enum SearchPlace: Hashable, Sendable {
    case request, response, transfers, log
}

/// A search text that is being typed.
struct SearchEntry: Hashable, Sendable {
    var place: SearchPlace
    var field = TextField()
    /// The previous search text, which Esc restores.
    var previous: String?
}

/// Finds a text in lines.
///
/// A text without capitals ignores case.
struct LineSearch {
    var needle: String

    func matches(_ line: String) -> Bool {
        guard !needle.isEmpty else { return false }
        let ignoresCase = !needle.contains { $0.isUppercase }
        return ignoresCase ? line.lowercased().contains(needle) : line.contains(needle)
    }

    /// The index of the next matching line, wrapping around.
    func next(in count: Int, from start: Int, forward: Bool, includingStart: Bool, line: (Int) -> String) -> Int? {
        guard count > 0, !needle.isEmpty else { return nil }
        let first = includingStart ? 0 : 1
        for distance in first...count {
            let index = ((start + (forward ? distance : -distance)) % count + count) % count
            if matches(line(index)) { return index }
        }
        return nil
    }
}
