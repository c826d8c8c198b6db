package import WorkspaceModel

/// The result of reading pasted curl command lines.
package enum PastedCommands: Hashable, Sendable {
    /// The endpoints with complete URLs, whose targets have the name of a file only; and what was changed or omitted, with the reasons.
    case done([Endpoint], notes: [String])
    /// Nothing was read. The text is the reason.
    case failed(String)
}
