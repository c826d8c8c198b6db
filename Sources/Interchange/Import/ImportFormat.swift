package import SortieBase

/// A format of another tool that can be imported.
package protocol ImportFormat: Sendable {
    /// The name for `--format`.
    static var name: String { get }

    /// The description in the help and in messages, such as `curl command lines`.
    static var title: String { get }

    /// The endings of file names, in lower case, that only this format has; they decide before the content.
    static var endings: [String] { get }

    /// Whether the content is in this format, as far as a short look shows.
    ///
    /// A damaged file of the format counts, so that its importer can report the place of the damage.
    static func recognizes(_ source: ImportSource) -> Bool

    /// Reads the source.
    ///
    /// - Throws: A diagnostic with the place where the source is malformed; nothing is imported then.
    static func workspace(from source: ImportSource) throws(Diagnostic) -> ImportedWorkspace
}

extension ImportFormat {
    /// No endings: the content decides.
    package static var endings: [String] { [] }
}
