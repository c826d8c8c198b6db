internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// A block `example` of a `.bru` file: a saved response with the request that it belongs to.
struct BruExample {
    let value: EndpointExample

    /// - Parameter text: The text of the block, where `request: {` and `response: {` begin the parts.
    init?(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard let response = Self.part("response", of: lines) else { return nil }
        let own = BruParser.rows(Array(lines.prefix { !$0.hasSuffix(": {") }))
        func last(_ name: String, in rows: [BruBlock.Pair]) -> String { rows.last { $0.name == name }?.value ?? "" }
        let status = BruParser.rows(Self.part("status", of: response) ?? [])
        let (body, code) = (BruParser.rows(Self.part("body", of: response) ?? []), last("code", in: status))
        var example = EndpointExample(last("name", in: own))
        if example.name.isEmpty { example.name = code.isEmpty ? "response" : code }
        example.response.statuses = StatusRange.parse(code)
        let rows = BruParser.rows(Self.part("headers", of: response) ?? []).filter(\.isEnabled).map { HeaderField($0.name, $0.value) }
        example.response.headers = EndpointExample.Response.fields(of: Headers(rows.filter { $0.problem == nil }))
        // An older form has the text itself in the braces.
        let isText = !body.contains { $0.name == "content" }
        let content = isText ? (Self.part("body", of: response) ?? []).joined(separator: "\n").trimmingBlanks : last("content", in: body)
        if !content.isEmpty {
            let types = ["json": "application/json", "xml": "application/xml", "html": "text/html"]
            let type = example.response.contentType ?? types[last("type", in: body)] ?? "text/plain"
            example.response.body = ImportedBody.text(content, contentType: type)
            // The body has its type.
            example.response.headers.removeAll { $0.name.lowercased() == "content-type" }
        }
        value = example
    }

    /// The lines of a part `name: {` up to `}`, without their indentation; nil where there is none.
    private static func part(_ name: String, of lines: [Substring]) -> [Substring]? {
        guard let start = lines.firstIndex(of: "\(name): {") else { return nil }
        let end = lines[start...].firstIndex(of: "}") ?? lines.endIndex
        return lines[start..<end].dropFirst().map { $0.hasPrefix("  ") ? $0.dropFirst(2) : $0 }
    }
}
