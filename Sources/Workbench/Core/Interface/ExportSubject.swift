package import WorkspaceModel

/// What is exported.
package enum ExportSubject: Hashable, Sendable {
    /// Endpoints as they would be sent, with the name of the endpoint, the folder or the service.
    case endpoints(String, [Endpoint])
    /// The steps of a run.
    case run(String)
    /// Exchanges of the history, by their numbers.
    case exchanges([Int64])
}

/// The result of an export.
package enum ExportOutcome: Hashable, Sendable {
    /// The text; credentials are names of variables.
    case text(String)
    /// It cannot be exported. The text is the reason.
    case failed(String)
}

/// A format of an export.
package struct ExportChoice: Hashable, Sendable {
    /// The name for `--as`.
    package var name: String
    /// The description, such as `curl command lines`.
    package var title: String
    /// The ending of its files, without a dot.
    package var fileExtension: String

    /// Creates a choice.
    package init(name: String, title: String, fileExtension: String) {
        (self.name, self.title, self.fileExtension) = (name, title, fileExtension)
    }
}
