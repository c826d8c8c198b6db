internal import Model

/// What would be sent.
struct DryRun {
    let request: Request
    let showsSecrets: Bool
    let asJSON: Bool
    /// The secrets in it.
    let secrets: SecretValues

    var text: String {
        if asJSON { return (showsSecrets ? record : secrets.masked(record)).text + "\n" }
        return lines.map { VisibleLine.of(showsSecrets ? $0 : secrets.masked($0)) + "\n" }.joined()
    }

    private var headers: Headers { showsSecrets ? request.headers : request.headers.masked }

    private var lines: [String] {
        ["\(request.method) \(request.url)"] + headers.fields.map { "\($0.name): \($0.value)" }
            + (request.body.contentType.map { headers.contains("Content-Type") ? [] : ["Content-Type: \($0)"] } ?? [])
            + (body.isEmpty ? [] : ["", body])
    }

    private var body: String {
        switch request.body {
        case .none: ""
        case .bytes(let bytes, _): String(validating: bytes, as: UTF8.self) ?? "(\(ByteCount(bytes.count).text), not text)"
        case .file(let path, _): "(the file \(path))"
        case .multipart(let parts):
            parts.map { part in
                switch part.content {
                case .bytes(let bytes): "\(part.name)=\(String(decoding: bytes, as: UTF8.self))"
                case .file(let path): "\(part.name)=@\(path)"
                }
            }.joined(separator: "\n")
        }
    }

    private var record: JSONValue {
        [
            "method": .string(request.method.rawValue), "url": .string(request.url.description),
            "headers": .array(headers.fields.map { .array([.string($0.name), .string($0.value)]) }),
            "body": .string(body), "addresses": .array(request.options.addresses.map { .string($0.description) }),
        ]
    }
}
