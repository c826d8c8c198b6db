/// An error or a warning about a workspace, with its location.
@usableFromInline
package struct Diagnostic: Error, Hashable, Sendable, CustomStringConvertible {
    /// The severity of a problem.
    package enum Severity: Hashable, Sendable {
        /// The rest of the file can be used, for example in spite of an unknown key.
        case warning
        /// The content of the file cannot be used.
        case error
    }

    /// The location.
    package var location: SourceLocation
    /// The description of the problem and its remedy.
    package var message: String
    /// The severity.
    package var severity: Severity
    /// Why a value could not be fetched; nil for a mistake in a file.
    package var failure: ValueFailure?
    /// What the user can do about it; nil where the message says it.
    package var remedy: Remedy?
    /// Whether the problem is a key that the format of the file does not have.
    package var isUnknownKey = false
    /// The keys that lead to the value with the problem from the root of the file, where the location is only that of the file; empty where none are known.
    package var keys: [String]
    /// The content of the template in this value that is the reason; nil for another problem.
    package var template: String?

    /// Creates a problem.
    package init(
        _ location: SourceLocation, _ message: String, severity: Severity = .error, failure: ValueFailure? = nil, remedy: Remedy? = nil,
        keys: [String] = [], template: String? = nil
    ) {
        (self.location, self.message, self.severity) = (location, message, severity)
        (self.failure, self.remedy) = (failure, remedy)
        (self.keys, self.template) = (keys, template)
    }

    /// `FILE:LINE:COLUMN: message`.
    @usableFromInline package var description: String { location == .nowhere ? message : "\(location): \(message)" }

    /// `message (FILE:LINE:COLUMN)`.
    package var messageWithLocation: String { location == .nowhere ? message : "\(message) (\(location))" }
}

/// A position in a file.
package struct SourceLocation: Hashable, Sendable, CustomStringConvertible {
    /// The path of the file, relative to the workspace where it is inside.
    package var file: String
    /// The line, from 1.
    package var line: Int
    /// The column in characters, from 1.
    package var column: Int

    /// Creates a position.
    package init(file: String, line: Int = 1, column: Int = 1) {
        (self.file, self.line, self.column) = (file, line, column)
    }

    /// Stands for the position of a problem that no file contains, such as a refused permission or a cancellation.
    package static let nowhere = SourceLocation(file: "")

    /// Stands for a file without a place in it, such as one that cannot be read.
    package static func wholeFile(_ path: String) -> SourceLocation { SourceLocation(file: path, line: 0, column: 0) }

    /// `FILE:LINE:COLUMN`, or the whole file.
    package var description: String { line == 0 ? file : "\(file):\(line):\(column)" }
}

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

    /// A hint that ends in `rest` and begins with the question whether the nearest of `candidates` was meant, where one is near enough.
    ///
    /// - Parameter write: The text of a candidate in the question.
    package static func hint(
        for name: String, in candidates: some Sequence<String>, _ rest: String, write: (String) -> String = { $0 }
    ) -> String {
        (nearest(to: name, in: candidates).map { "did you mean \(write($0))? " } ?? "") + rest
    }

    /// The end of a message about a mistyped name, `; did you mean “NAME”?`, or nothing where none of `candidates` is near enough.
    package static func clause(for name: String, in candidates: some Sequence<String>) -> String {
        nearest(to: name, in: candidates).map { "; did you mean “\($0)”?" } ?? ""
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

/// Why a value that a text needs could not be fetched, where no file has a mistake: the request or the program that gives the value failed.
package struct ValueFailure: Hashable, Sendable {
    /// The category of the failure.
    package enum Kind: Hashable, Sendable {
        /// No response, or no output, arrived.
        case network
        /// A response arrived that does not have the value.
        case response
    }

    /// The category of the failure.
    package var kind: Kind
    /// The name of the error, such as `timedOut`.
    package var name: String
    /// The hint for a separate line; nil without one.
    package var hint: String?

    /// Creates a failure.
    package init(_ kind: Kind, name: String, hint: String? = nil) {
        (self.kind, self.name, self.hint) = (kind, name, hint)
    }
}
