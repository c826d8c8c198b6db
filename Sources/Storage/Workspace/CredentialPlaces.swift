package import SortieBase
package import WorkspaceModel

/// Finds the places of credentials in the files of a workspace, each of which it reads once.
package struct CredentialPlaces {
    /// A text of a file with the key above it.
    private struct Text {
        let key: String?
        let text: String
        let place: SourceLocation
    }

    private let folder: String
    private var texts: [String: [Text]] = [:]

    /// - Parameter folder: The folder of the workspace.
    package init(workspace folder: String) { self.folder = folder }

    /// The place of a credential; nil where the file has no text with it, as for a value that is composed of several.
    package mutating func place(of credential: ClearCredentials.Credential, in file: String) -> SourceLocation? {
        let all = texts[file] ?? read(file)
        texts[file] = all
        // As the file writes a text of which templates are a part.
        let value = Template.quoting(credential.value)
        let found = all.filter { $0.text.contains(value) }
        return (found.first { $0.key == credential.label } ?? found.first { $0.text == value } ?? found.first)?.place
    }

    private func read(_ file: String) -> [Text] {
        var result: [Text] = []
        func add(_ node: YAMLNode, below key: String?) {
            switch node.content {
            case .scalar(let scalar):
                result.append(Text(key: key, text: scalar.text, place: SourceLocation(file: file, line: node.line, column: node.column)))
            case .mapping(let entries): for entry in entries { add(entry.value, below: entry.key.text) }
            case .sequence(let items): for item in items { add(item, below: key) }
            }
        }
        do {
            let bytes = try WorkspaceFile.bytes(at: FilePath.joining(folder, file))
            if let root = try YAMLDocument(bytes: bytes, file: file).root { add(root, below: nil) }
        } catch {
            // The file was changed since it was loaded; the warning names the file.
            return []
        }
        return result
    }
}
