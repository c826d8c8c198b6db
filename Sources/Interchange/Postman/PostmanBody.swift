internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// Reads the body of a request of Postman.
struct PostmanBody {
    private(set) var notes: [(outcome: ImportReport.Outcome, reason: String, node: SourceNode?)] = []
    private(set) var template: PostmanTemplate
    private let node: SourceNode
    /// The media type of the header field; nil for none.
    private let contentType: String?

    init(_ node: SourceNode, contentType: String?, template: PostmanTemplate) {
        (self.node, self.contentType, self.template) = (node, contentType, template)
    }

    private static let languages = [
        "json": "application/json", "xml": "application/xml", "html": "text/html", "javascript": "application/javascript", "text": "text/plain",
    ]

    mutating func read() -> BodyTemplate {
        let body = content()
        guard node["disabled"]?.bool == true, body != .none else { return body }
        notes.append((.omitted, "the body is switched off", node))
        return .none
    }

    private mutating func content() -> BodyTemplate {
        let mode = node["mode"]?.string
        let content = mode.flatMap { node[$0] }
        switch mode {
        case nil: return .none
        case "raw": return raw(content)
        case "urlencoded": return form(content)
        case "formdata": return parts(content)
        case "file": return file(content)
        case "graphql": return graphQL(content)
        case let mode?:
            notes.append((.omitted, "a body of the kind \(mode) is not known", node))
            return .none
        }
    }

    private mutating func raw(_ content: SourceNode?) -> BodyTemplate {
        guard let content, !content.isNull else { return .none }
        let text = content.text ?? content.json.text
        guard !text.isEmpty else { return .none }
        let language = node["options"]?["raw"]?["language"]?.string
        return ImportedBody.text(template.text(text), contentType: contentType ?? language.flatMap { Self.languages[$0] } ?? "text/plain")
    }

    private mutating func row(_ node: SourceNode) -> Parameter {
        Parameter(
            template.text(node["key"]?.text ?? ""), template.text(node["value"]?.text ?? ""), isEnabled: PostmanRequest.isEnabled(node),
            summary: PostmanCollection.description(node["description"]))
    }

    private mutating func form(_ content: SourceNode?) -> BodyTemplate {
        if let text = content?.string {
            return text.isEmpty ? .none : .text(template.text(text), contentType: "application/x-www-form-urlencoded")
        }
        var rows: [Parameter] = []
        for node in content?.items ?? [] {
            let row = row(node)
            if !(row.name.isEmpty && row.value.isEmpty) { rows.append(row) }
        }
        return rows.isEmpty ? .none : .form(rows)
    }

    private mutating func parts(_ content: SourceNode?) -> BodyTemplate {
        var parts: [BodyTemplate.Part] = []
        for node in content?.items ?? [] {
            let row = row(node)
            let type = node["contentType"]?.string.flatMap { $0.isEmpty ? nil : template.text($0) }
            if row.summary != nil { notes.append((.omitted, "the description of the part \(row.name): a part has none", node)) }
            var part = BodyTemplate.Part(name: row.name, value: row.value, contentType: type, isEnabled: row.isEnabled)
            guard node["type"]?.string == "file" || node["src"].map({ !$0.isNull }) == true else {
                if !(row.name.isEmpty && row.value.isEmpty) { parts.append(part) }
                continue
            }
            part.fileName = node["fileName"]?.string.map { template.text($0) }
            let files = node["src"]?.items?.compactMap(\.string) ?? node["src"]?.string.map { [$0] } ?? []
            for file in files where !file.isEmpty {
                (part.value, part.isFile) = (template.text(file), true)
                parts.append(part)
            }
            guard files.allSatisfy(\.isEmpty) else { continue }
            notes.append((.changed, "the part \(row.name) has no file; it is switched off until its path is written", node))
            (part.value, part.fileName, part.isEnabled) = ("", nil, false)
            parts.append(part)
        }
        return parts.isEmpty ? .none : .multipart(parts)
    }

    private mutating func file(_ content: SourceNode?) -> BodyTemplate {
        if let text = content?["content"]?.string, !text.isEmpty { return ImportedBody.text(template.text(text), contentType: contentType) }
        guard let path = content?.string ?? content?["src"]?.string, !path.isEmpty else {
            notes.append((.omitted, "the body has no file; write body: {file: PATH}", node))
            return .none
        }
        return .file(path: template.text(path), contentType: nil)
    }

    private mutating func graphQL(_ content: SourceNode?) -> BodyTemplate {
        guard let content, let query = content["query"]?.text ?? content.string else { return .none }
        let variables = content["variables"].flatMap { $0.text ?? ($0.isNull ? "" : $0.json.text) } ?? ""
        let imported = ImportedBody.graphQL(
            query: template.text(query), variables: template.text(variables), operation: template.text(content["operationName"]?.text ?? ""))
        if imported.omitsVariables { notes.append((.omitted, ImportedBody.invalidVariables, content["variables"])) }
        return imported.body
    }
}
