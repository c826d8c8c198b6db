internal import SortieBase

/// The format of HTTP Archive 1.2, as browsers write it and other tools read it (`http://www.softwareishard.com/blog/har-12-spec/`).
public enum HAR {
    /// The most bytes of a body that an entry holds; of a larger one it has the beginning and says so.
    public static let bodyLimit = 4 << 20

    /// The text before the first entry.
    ///
    /// - Parameter version: that of the program that writes it.
    public static func head(version: String) -> String {
        let creator: JSONValue = ["name": "Sortie", "version": .string(version)]
        return "\(opening)\(creator.text), \"entries\": ["
    }

    /// How every file of ours begins.
    public static let opening = "{\"log\": {\"version\": \"1.2\", \"creator\": "

    /// The text after the last entry.
    public static let tail = "\n]}}\n"

    /// What stands before an entry, each on a line of its own.
    public static func separator(isFirst: Bool) -> String { isFirst ? "\n" : "\n," }
}
