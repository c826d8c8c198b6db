/// The differences of a working tree from the last commit, as `git status --porcelain=v2` prints them.
package struct GitStatus: Hashable, Sendable {
    /// The state of a file.
    package enum Mark: String, Hashable, Sendable {
        /// Changed since the last commit, staged or not.
        case modified = "M"
        /// Staged, and not in the last commit.
        case added = "A"
        /// Neither committed nor staged.
        case untracked = "?"
        /// With conflicts of a merge.
        case conflicted = "U"
    }

    /// The name of the branch; nil for a detached head.
    package var branch: String?
    /// The changed files, by their paths relative to the workspace.
    package var marks: [String: Mark] = [:]

    /// Creates a status without changes.
    package init(branch: String? = nil, marks: [String: Mark] = [:]) {
        (self.branch, self.marks) = (branch, marks)
    }

    /// Parses the output of `git status --porcelain=v2 --branch -z`; records of unknown kinds are ignored.
    ///
    /// - Parameters:
    ///   - output: The records, each ended by a zero byte.
    ///   - prefix: The path of the workspace in the repository with a slash at its end; empty for the top of the repository. Files elsewhere
    ///     are left out.
    package init(porcelain output: [UInt8], prefix: String) {
        var isOrigin = false
        for bytes in output.split(separator: 0) {
            // The second record of a renamed file is its previous path.
            guard !isOrigin else {
                isOrigin = false
                continue
            }
            let record = String(decoding: bytes, as: UTF8.self)
            switch record.first {
            case "#": if let name = Self.value(of: "# branch.head ", in: record), name != "(detached)" { branch = name }
            case "1": add(record, fields: 8, prefix)
            case "2":
                add(record, fields: 9, prefix)
                isOrigin = true
            case "u": add(record, fields: 10, prefix)
            case "?": add(record, fields: 1, prefix)
            default: break
            }
        }
    }

    private static func value(of key: String, in record: String) -> String? { record.hasPrefix(key) ? String(record.dropFirst(key.count)) : nil }

    /// Adds the mark of a record whose path follows this number of fields.
    private mutating func add(_ record: String, fields count: Int, _ prefix: String) {
        let parts = record.utf8.split(separator: UInt8(ascii: " "), maxSplits: count, omittingEmptySubsequences: false)
        guard parts.count == count + 1, let path = String(parts[count]), path.hasPrefix(prefix) else { return }
        let mark: Mark =
            switch record.first {
            case "?": .untracked
            case "u": .conflicted
            default: parts[1].first == UInt8(ascii: "A") ? .added : .modified
            }
        marks[String(path.utf8.dropFirst(prefix.utf8.count)) ?? path] = mark
    }
}
