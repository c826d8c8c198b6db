internal import Model

/// What would be sent.
struct DryRun {
    let request: Request
    /// What is masked of it.
    let redaction: Redaction
    let asJSON: Bool

    var text: String {
        if asJSON { return record.text + "\n" }
        return lines.map { VisibleLine.of($0) + "\n" }.joined()
    }

    private var headers: Headers { redaction.masked(request.headers) }

    private var lines: [String] {
        ["\(request.method) \(redaction.maskedURL(request.url.description))"] + headers.fields.map { "\($0.name): \($0.value)" }
            + (request.body.contentType.map { headers.contains("Content-Type") ? [] : ["Content-Type: \($0)"] } ?? [])
            + (body.isEmpty ? [] : ["", body])
    }

    private var body: String {
        switch request.body {
        case .none: ""
        case .bytes(let bytes, let contentType):
            String(validating: bytes, as: UTF8.self).map { redaction.maskedBody($0, contentType: request.headers["Content-Type"] ?? contentType) }
                ?? "(\(ByteCount(bytes.count).text), not text)"
        case .file(let path, _): "(the file \(path))"
        case .multipart(let parts):
            parts.map { part in
                switch part.content {
                case .bytes(let bytes): redaction.maskedForm("\(part.name)=\(String(decoding: bytes, as: UTF8.self))")
                case .file(let path): "\(part.name)=@\(path)"
                }
            }.joined(separator: "\n")
        }
    }

    private var record: JSONValue {
        [
            "method": .string(request.method.rawValue), "url": .string(redaction.maskedURL(request.url.description)),
            "headers": .array(headers.fields.map { .array([.string($0.name), .string($0.value)]) }),
            "body": .string(body), "addresses": .array(request.options.addresses.map { .string($0.description) }),
        ]
    }
}
