internal import FoundationEssentials
internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// Reads the body of a request of an archive.
struct HARPostData {
    /// What was changed or omitted.
    private(set) var notes: [(ImportReport.Outcome, String)] = []
    /// The bytes of a body that is not text.
    private(set) var bytes: [UInt8]?
    private let node: SourceNode
    private let contentType: String?

    /// - Parameter contentType: the field Content-Type; nil for none.
    init(_ node: SourceNode, contentType: String?) {
        self.node = node
        let type = contentType ?? node["mimeType"]?.string.map(Template.quoting)
        self.contentType = type?.isEmpty == false ? type : nil
    }

    private var essence: String? { contentType.flatMap { MediaType($0) }?.essence }

    mutating func read() -> BodyTemplate {
        let text = node["text"]?.text ?? ""
        let params = node["params"]?.items ?? []
        let isForm = essence == "application/x-www-form-urlencoded" || contentType == nil && text.isEmpty
        if (node["encoding"] ?? node["_encoding"])?.string?.lowercased() == "base64", !text.isEmpty { return decoded(text) }
        if essence == "multipart/form-data", !params.isEmpty {
            var parts: [BodyTemplate.Part] = []
            for node in params { parts.append(part(node)) }
            return .multipart(parts)
        }
        if !text.isEmpty {
            guard isForm, let rows = CurlPairs.rows(of: text, allowed: .form) else {
                return ImportedBody.text(Template.quoting(text), contentType: contentType)
            }
            return .form(rows)
        }
        guard !params.isEmpty else { return .none }
        if !isForm { notes.append((.changed, "the body has only parameters; it is sent as a form")) }
        return .form(
            params.map { Parameter(Template.quoting($0["name"]?.text ?? ""), Template.quoting($0["value"]?.text ?? "")) })
    }

    private mutating func decoded(_ text: String) -> BodyTemplate {
        guard let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters) else {
            notes.append((.omitted, "the body is not Base64"))
            return .none
        }
        if let text = String(validating: data, as: UTF8.self) { return ImportedBody.text(Template.quoting(text), contentType: contentType) }
        bytes = Array(data)
        return .file(path: "body.bin", contentType: contentType)
    }

    /// A part; one with a file name and no value is a file.
    private mutating func part(_ node: SourceNode) -> BodyTemplate.Part {
        let name = Template.quoting(node["name"]?.text ?? "")
        let file = node["fileName"]?.string.flatMap { $0.isEmpty ? nil : Template.quoting($0) }
        let type = node["contentType"]?.string.flatMap { $0.isEmpty ? nil : Template.quoting($0) }
        if let file, node["value"]?.text?.isEmpty ?? true {
            notes.append((.changed, "the content of the file \(file) is not in the archive; it is read from that path, in the folder of the archive"))
            return .init(name: name, value: file, isFile: true, contentType: type)
        }
        return .init(name: name, value: Template.quoting(node["value"]?.text ?? ""), fileName: file, contentType: type)
    }
}
