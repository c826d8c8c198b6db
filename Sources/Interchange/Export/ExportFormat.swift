package import SortieBase

/// A format that endpoints and exchanges can be exported to.
package protocol ExportFormat: Sendable {
    /// The name for `--as`.
    static var name: String { get }

    /// The description in the help and in messages, such as `curl command lines`.
    static var title: String { get }

    /// The ending of its files, without a dot.
    static var fileExtension: String { get }

    /// Whether the result is a program that can have values which are known only when it runs: captured values and generated ones.
    static var isProgram: Bool { get }

    /// The text of the export, with a line break at the end.
    ///
    /// - Throws: A diagnostic where something cannot be expressed.
    static func text(of source: ExportSource) throws(Diagnostic) -> String

    /// The text for a file with a name, whose ending can choose a notation.
    ///
    /// - Throws: A diagnostic where something cannot be expressed.
    static func text(of source: ExportSource, forFile name: String) throws(Diagnostic) -> String

    /// What the result does not express, each with the name of the request.
    ///
    /// - Throws: A diagnostic where something cannot be expressed.
    static func notes(of source: ExportSource) throws(Diagnostic) -> [String]
}

extension ExportFormat {
    package static var fileExtension: String { "txt" }

    package static var isProgram: Bool { false }

    package static func text(of source: ExportSource, forFile name: String) throws(Diagnostic) -> String { try text(of: source) }

    package static func notes(of source: ExportSource) throws(Diagnostic) -> [String] { [] }
}
