package import SortieBase
package import SortieHTTP
package import WorkspaceModel

/// What is exported, in order.
package struct ExportSource: Sendable {
    /// One request.
    package struct Item: Sendable {
        /// The target of the endpoint, or the name of the history row.
        package var name: String
        /// The endpoint with unresolved templates; its credentials are names of secrets.
        package var endpoint: Endpoint
        /// The resolved request without credentials of ``auth``; unknown values are placeholders, see ``ExportPlaceholder``.
        package var request: Request
        /// The credentials of the endpoint or its service with unresolved templates, which name the secrets.
        package var credentials: Auth
        /// The resolved credentials.
        package var auth: Auth
        /// The placeholders of ``request`` and ``auth``.
        package var placeholders: ExportPlaceholder
        /// The recorded exchange of an item of the history; nil for an endpoint.
        package var exchange: Exchange?
        /// The resolved expectation.
        package var expectation = Expectation()
        /// The values that later steps use; empty outside runs.
        package var captures: [Capture] = []
        /// The names in its templates whose values only a run, or a response of another endpoint, has.
        package var outside: Set<String> = []
    }

    /// The run of the requests.
    package struct Run: Hashable, Sendable {
        /// The definition.
        package var definition: RunDefinition
        /// The rows of its data; nil without data.
        package var rows: [[String: String]]?
        /// The step up to which the steps of a chain run once for each user of a load test.
        package var start: String?

        /// Creates a run.
        package init(_ definition: RunDefinition, rows: [[String: String]]? = nil, start: String? = nil) {
            (self.definition, self.rows, self.start) = (definition, rows, start)
        }
    }

    /// The name of the workspace, the service or the run.
    package var name: String
    /// The workspace whose endpoints are exported; empty for exchanges of the history.
    package var workspace: Workspace
    /// The environment of the resolved requests.
    package var environment: String?
    /// The requests.
    package var items: [Item]
    /// The version of the program.
    package var version = ""
    /// Additional masking of recorded exchanges, which are stored masked.
    package var redaction = Redaction.standard
    /// The run that the requests are the steps of; nil for other requests.
    package var run: Run?
    /// Variables that a program can replace when it runs, with their values; they are captured values of the requests.
    package var variables: [String: String] = [:]
    /// The names of ``variables`` whose values are not written.
    package var hiddenVariables: Set<String> = []
    /// The descriptions of services by the document of `contract:`, for a format that writes them.
    package var descriptions: [String: ImportSource] = [:]
    /// The identities of the operations whose imported endpoints the user deleted, by the document of `contract:`.
    package var deletedItems: [String: Set<String>] = [:]

    /// What a user has to know about the requests, in any format.
    package var notes: [String] = []
    /// Why requests are missing that should have been exported.
    package var failures: [Diagnostic] = []

    /// Creates a source.
    package init(name: String, workspace: Workspace, environment: String?, items: [Item], run: Run? = nil) {
        (self.name, self.workspace, self.environment, self.items, self.run) = (name, workspace, environment, items, run)
    }
}

extension ExportSource {
    /// The names of the environment variables of a program, in alphabetical order.
    package var programVariables: [String] { Set(items.flatMap(\.environmentVariables)).sorted() }
}

extension ExportSource.Item {
    /// The names of the environment variables in the request, its credentials and the expectation.
    package var environmentVariables: [String] {
        var texts = [request.url.origin, request.url.requestTarget] + request.headers.fields.map(\.value)
        texts += auth.texts
        switch request.body {
        case .none: break
        case .bytes(let bytes, let type): texts += [String(decoding: bytes, as: UTF8.self), type ?? ""]
        case .file(let path, _): texts.append(path)
        case .multipart(let parts):
            for part in parts {
                texts += [part.name, part.fileName ?? "", part.contentType ?? ""]
                switch part.content {
                case .bytes(let bytes): texts.append(String(decoding: bytes, as: UTF8.self))
                case .file(let path): texts.append(path)
                }
            }
        }
        texts += [request.options.trust.clientKeyPassphrase, request.options.proxy?.credentials?.user, request.options.proxy?.credentials?.password]
            .compactMap(\.self)
        texts += expectation.conditions.filter(\.isEnabled).map(\.value)
        return texts.flatMap(placeholders.pieces).compactMap { if case .variable(let name) = $0 { name } else { nil } }
    }
}

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

    /// Whether the format writes descriptions of APIs (``ExportSource/descriptions``).
    static var usesDescriptions: Bool { get }

    /// The keys of an endpoint's file that the format writes, or has notes for, beside those whose effect is in every exported request, and those of
    /// the connections of a service (``ExportNotes/connectionKeys``).
    ///
    /// A note names every other key that an endpoint or its service sets.
    static var keys: Set<String> { get }

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

    package static var usesDescriptions: Bool { false }

    package static func text(of source: ExportSource, forFile name: String) throws(Diagnostic) -> String { try text(of: source) }

    package static func notes(of source: ExportSource) throws(Diagnostic) -> [String] { [] }
}
