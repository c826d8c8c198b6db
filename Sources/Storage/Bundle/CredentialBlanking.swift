internal import SortieBase
internal import WorkspaceModel

/// Empties the values of credentials in a YAML file of a workspace; all other bytes stay.
struct CredentialBlanking {
    /// The bytes of the new file.
    private(set) var bytes: [UInt8]
    /// The places of the emptied values.
    private(set) var places: [SourceLocation] = []
    /// The places of values that cannot be emptied in place.
    private(set) var failures: [SourceLocation] = []

    private let file: String
    private var patch: YAMLPatch?

    /// Keys below which values describe responses or are names of secrets.
    private static let descriptions: Set<String> = ["capture", "expect", "secrets", "rules", "reform", "redact", "answer", "envelope", "page"]

    /// - Throws: A diagnostic for a file that is not YAML.
    init(_ bytes: [UInt8], file: String) throws(Diagnostic) {
        self.bytes = bytes
        self.file = file
        let document = try YAMLDocument(bytes: bytes, file: file)
        guard let root = document.root else { return }
        var patch = YAMLPatch(source: document.source)
        visit(root, indentation: 0, &patch)
        guard !places.isEmpty else { return }
        do { self.bytes = try patch.applied() } catch { failures += places }
    }

    /// - Parameter parent: the key of the value; the names of `variables:` are chosen by people, so their ends count.
    private mutating func visit(_ node: YAMLNode, of parent: String? = nil, indentation: Int, _ patch: inout YAMLPatch) {
        switch node.content {
        case .scalar: blankPart(node, indentation: indentation, &patch)
        case .sequence(let items): for item in items { visit(item, indentation: node.column - 1, &patch) }
        case .mapping(let entries):
            let name = entries.first { $0.key.text == "name" }?.value.text
            for entry in entries {
                guard let key = entry.key.text, !Self.descriptions.contains(key) else { continue }
                let isValue = key == "value" && name.map(CredentialNames.contains) == true
                let isCredential = parent == "variables" ? CredentialNames.ends(key) : CredentialNames.contains(key)
                if entry.value.text != nil, isValue || isCredential {
                    blank(entry.value, indentation: node.column - 1, &patch)
                } else {
                    visit(entry.value, of: key, indentation: node.column - 1, &patch)
                }
            }
        }
    }

    /// Empties credentials inside of a text: in JSON, in a form, and in a URL.
    private mutating func blankPart(_ node: YAMLNode, indentation: Int, _ patch: inout YAMLPatch) {
        guard let text = node.text, let blanked = CredentialSearch(text, hasLines: false).blanked else { return }
        replace(node, with: YAMLText.scalar(.string(blanked), style: .doubleQuoted, inFlow: true), indentation: indentation, &patch)
    }

    private mutating func blank(_ node: YAMLNode, indentation: Int, _ patch: inout YAMLPatch) {
        guard let text = node.text, !text.isEmpty, !node.isNull, Template(text).isPlain, !text.hasPrefix("$.") else { return }
        replace(node, with: "\"\"", indentation: indentation, &patch)
    }

    private mutating func replace(_ node: YAMLNode, with text: String, indentation: Int, _ patch: inout YAMLPatch) {
        let place = SourceLocation(file: file, line: node.line, column: node.column)
        do {
            let end = try patch.source.end(of: node, parentIndentation: indentation)
            patch.add(node.start..<end, text)
            places.append(place)
        } catch { failures.append(place) }
    }
}
