internal import SortieHTTP
internal import WorkspaceModel

/// An endpoint in a state file or in the history: its text in the format of workspace files, its target, and its place in the workspace.
///
/// In contrast to a workspace file, values are not checked and paths stay as they were typed, because the text also keeps what a user is still editing.
struct StoredEndpoint: Codable, Hashable {
    var target: String
    /// The text that an endpoint's file has, in YAML.
    var text: String
    /// The file of the endpoint, relative to the workspace; nil for an endpoint without a file.
    var file: String?
    var line: Int?
    var column: Int?
    var bodyFileEdit: BodyFileText?

    /// The text of the body's file that is not saved yet.
    struct BodyFileText: Codable, Hashable {
        var path: String
        var original: String
        var text: String
    }

    init(_ endpoint: Endpoint) {
        target = endpoint.target
        text = YAMLText.block(EndpointForm.stored.value(of: endpoint), indentation: 0) + "\n"
        file = endpoint.location?.file
        line = endpoint.location?.line
        column = endpoint.location?.column
        bodyFileEdit = endpoint.bodyFileEdit.map { BodyFileText(path: $0.path, original: $0.original, text: $0.text) }
    }

    /// The endpoint; nil where the text is not YAML.
    ///
    /// - Parameter problems: Receives the keys whose values cannot be read; those values are left out.
    func endpoint(_ problems: inout [String]) -> Endpoint? {
        do {
            var reader = NodeReader(stored: target)
            let endpoint = reader.endpoint(try YAMLDocument(stored: text, name: target).root, target: target, timeouts: Timeouts(), parameters: nil)
            problems += reader.problems.map { "\(target), line \($0.location.line): \($0.message)" }
            guard var endpoint else { return nil }
            endpoint.bodyFileEdit = bodyFileEdit.map { BodyFileEdit(path: $0.path, original: $0.original, text: $0.text) }
            endpoint.location = file.map { SourceLocation(file: $0, line: line ?? 1, column: column ?? 1) }
            return endpoint
        } catch {
            problems.append("\(target), line \(error.location.line): \(error.message)")
            return nil
        }
    }
}
