internal import SortieBase

/// The format of HTTP Archive 1.2, as written by browsers and read by other tools (`http://www.softwareishard.com/blog/har-12-spec/`).
package enum HAR {
    /// The maximum number of bytes of a body in an entry; a larger one is truncated and marked.
    package static let bodyLimit = 4 << 20

    /// The text before the first entry.
    ///
    /// - Parameter version: the version of the program that writes the file.
    package static func head(version: String) -> String {
        let creator: JSONValue = ["name": "Sortie", "version": .string(version)]
        return "\(opening)\(creator.text), \"entries\": ["
    }

    /// The beginning of every file that Sortie writes.
    package static let opening = "{\"log\": {\"version\": \"1.2\", \"creator\": "

    /// The text after the last entry.
    package static let tail = "\n]}}\n"

    /// The text before an entry; each entry is on a separate line.
    package static func separator(isFirst: Bool) -> String { isFirst ? "\n" : "\n," }
}
