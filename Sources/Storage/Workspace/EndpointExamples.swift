internal import SortieHTTP
internal import WorkspaceModel

extension NodeReader {
    /// Reads `examples:`: names with an example each, or a list of examples with names.
    ///
    /// Paths of files stay as they are written.
    mutating func examples(_ node: YAMLNode?) -> [EndpointExample] {
        guard let node, !node.isNull else { return [] }
        // The names in their templates are not variables.
        var reader = isStored ? NodeReader(stored: file) : NodeReader(file: file, folder: ".", folders: folders)
        defer { problems += reader.problems }
        guard let items = node.items else {
            return reader.pairs(node, of: "examples").compactMap { reader.example($0.value, named: $0.name) }
        }
        return items.compactMap { reader.example($0, named: nil) }
    }

    private mutating func example(_ node: YAMLNode, named name: String?) -> EndpointExample? {
        let fields = fields(node, of: "an example", known: .example)
        guard node.entries != nil else { return nil }
        guard let name = name ?? text(fields["name"], "name") else {
            report(node, "the example has no name; write name: and one word")
            return nil
        }
        var example = EndpointExample(name)
        if let node = fields["request"], !node.isNull {
            let fields = self.fields(node, of: "request", known: .exampleRequest)
            example.request.path = rows(fields["path"], of: "path")
            example.request.query = rows(fields["query"], of: "query")
            example.request.headers = rows(fields["headers"], of: "headers")
            example.request.body = body(fields["body"], style: nil)
        }
        if let node = fields["response"], !node.isNull {
            let fields = self.fields(node, of: "response", known: .exampleResponse)
            if let status = fields["status"] {
                let statuses = expectedStatuses(status) ?? []
                if statuses.count > 1 { report(status, "the status of an example must be one status or one range; write an example for each") }
                example.response.statuses = statuses.first
            }
            example.response.headers = rows(fields["headers"], of: "headers")
            example.response.body = body(fields["body"], style: nil)
            switch example.response.body {
            case .none, .json, .text, .file, .plist: break
            case .form, .multipart, .graphQL: report(fields["body"] ?? node, "the body of a response must be json, text or file")
            }
        } else {
            reportInvalid(node, "the example has no response; write response: {status: 200}")
        }
        example.times = integer(fields["times"], "times", in: EndpointExample.timesRange)
        example.delay = duration(fields["delay"], "delay")
        return example
    }
}

extension EndpointForm {
    /// Examples by name where the names are different, and the file has no list.
    func examples(_ examples: [EndpointExample], source: YAMLNode?) -> YAMLValue? {
        guard !examples.isEmpty else { return nil }
        let names = Set(examples.map(\.name))
        guard !isStored, source?.items == nil, names.count == examples.count, !names.contains("") else {
            return .sequence(examples.map { .mapping(optional: [("name", .text($0.name))] + members(of: $0, source: nil)) })
        }
        return .mapping(examples.map { .init($0.name, .mapping(optional: members(of: $0, source: source?[$0.name]))) })
    }

    private func members(of example: EndpointExample, source: YAMLNode?) -> [(String, YAMLValue?)] {
        var form = self
        func rows(_ key: String, _ rows: [Parameter]) -> (String, YAMLValue?) { (key, form.rows(rows, source: form.source?[key])) }
        form.source = source?["request"]
        let request: [(String, YAMLValue?)] = [
            rows("path", example.request.path), rows("query", example.request.query), rows("headers", example.request.headers),
            ("body", form.body(example.request.body)),
        ]
        form.source = source?["response"]
        let response: [(String, YAMLValue?)] = [
            ("status", example.response.statuses.map { .text(StatusRange.text($0)) }), rows("headers", example.response.headers),
            ("body", form.body(example.response.body)),
        ]
        return [
            ("request", request.contains { $0.1 != nil } ? .mapping(optional: request) : nil), ("response", .mapping(optional: response)),
            ("times", example.times.map { .text(String($0)) }), ("delay", example.delay.map { .text(DurationText.text($0)) }),
        ]
    }
}
