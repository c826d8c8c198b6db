/// Finds the known name that is nearest to a mistyped one.
package enum Suggestion {
    /// The nearest of `candidates`, or nil when none is near enough to be meant.
    ///
    /// Names that are longer than people write are not compared; the time is proportional to the product of both lengths.
    package static func nearest(to name: String, in candidates: some Sequence<String>) -> String? {
        guard name.utf8.count <= longest else { return nil }
        let wanted = Array(name.lowercased())
        var best: (name: String, distance: Int)?
        for candidate in candidates where candidate.utf8.count <= longest {
            let distance = editDistance(wanted, Array(candidate.lowercased()))
            if distance < best?.distance ?? .max { best = (candidate, distance) }
        }
        guard let best, best.distance <= max(2, wanted.count / 3) else {
            return candidates.first { !name.isEmpty && $0.lowercased().contains(name.lowercased()) }
        }
        return best.name
    }

    private static let longest = 256

    /// Insertions, deletions, replacements and swaps of neighbours that turn one text into the other.
    static func editDistance(_ a: [Character], _ b: [Character]) -> Int {
        if a.isEmpty || b.isEmpty { return max(a.count, b.count) }
        var beforeLast = [Int](repeating: 0, count: b.count + 1)
        var last = Array(0...b.count)
        for i in 1...a.count {
            var current = [i] + [Int](repeating: 0, count: b.count)
            for j in 1...b.count {
                let cost = a[i - 1] == b[j - 1] ? 0 : 1
                current[j] = min(last[j] + 1, current[j - 1] + 1, last[j - 1] + cost)
                if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
                    current[j] = min(current[j], beforeLast[j - 2] + 1)
                }
            }
            beforeLast = last
            last = current
        }
        return last[b.count]
    }
}
