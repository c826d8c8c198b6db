/// Makes names of files from names in sources.
struct FileNames {
    /// The names in use, in lower case, because some file systems do not distinguish cases.
    private var taken: Set<String>
    /// The last number of each name, so that many equal names take linear time.
    private var numbers: [String: Int] = [:]

    /// - Parameter taken: the names that exist.
    init(taken: some Sequence<String> = []) {
        self.taken = Set(taken.map { $0.lowercased() })
    }

    /// Takes a name that is in use from now on.
    mutating func take(_ name: String) { taken.insert(name.lowercased()) }

    /// A free name for a text, which is in use from now on.
    mutating func name(for text: String, otherwise fallback: String) -> String {
        let slug = Self.slug(text)
        let base = slug.isEmpty ? fallback : slug
        var name = Self.reserved.contains(base) ? "\(base)-1" : base
        var number = numbers[base] ?? 1
        while taken.contains(name.lowercased()) {
            number += 1
            name = "\(base)-\(number)"
        }
        numbers[base] = number
        taken.insert(name.lowercased())
        return name
    }

    /// Names with a meaning in workspaces or in Windows.
    private static let reserved: Set<String> = ["service", "runs", "workspace", "con", "prn", "aux", "nul"]

    /// The longest name in bytes; the system permits 255, and workspaces 200.
    private static let longest = 80

    /// The letters and digits of a text in lower case, with `-` between words.
    static func slug(_ text: String) -> String {
        var result = ""
        var isPending = false
        for scalar in text.lowercased().unicodeScalars {
            // A combining mark belongs to its letter.
            let isWord =
                scalar.properties.isAlphabetic || scalar.properties.numericType != nil || scalar.properties.generalCategory == .nonspacingMark
            guard isWord else {
                isPending = !result.isEmpty
                continue
            }
            let piece = (isPending ? "-" : "") + String(scalar)
            guard result.utf8.count + piece.utf8.count <= longest else { break }
            result += piece
            isPending = false
        }
        return result
    }
}

extension Set<String> {
    /// Inserts a name, with a number after it where the set has it: `list`, `list-2`; returns the inserted name.
    ///
    /// The number is found by doubling and halving, because thousands of requests may have one name.
    mutating func insertNumbered(_ base: String) -> String {
        guard !insert(base).inserted else { return base }
        var (used, free) = (1, 2)
        while contains("\(base)-\(free)") { (used, free) = (free, free * 2) }
        while free - used > 1 {
            let middle = used + (free - used) / 2
            if contains("\(base)-\(middle)") { used = middle } else { free = middle }
        }
        insert("\(base)-\(free)")
        return "\(base)-\(free)"
    }
}
