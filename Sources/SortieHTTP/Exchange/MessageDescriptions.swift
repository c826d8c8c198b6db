internal import SortieBase

extension Request: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The method, the URL, one line for each field, and the kind of the body; secrets are masked.
    public var description: String {
        let redaction = Redaction(secretsOf: self).learning(from: self)
        var lines = ["\(method) \(url.masked(by: redaction))"]
        lines += redaction.masked(headers).fields.map { "\($0.name): \($0.value)" }
        switch body {
        case .none: break
        case .bytes(let bytes, let type): lines.append("(\(ByteCount(bytes.count).text) of \(type ?? "no type"))")
        case .file(let path, let type): lines.append("(the file \(path) of \(type ?? "no type"))")
        case .multipart(let parts): lines.append("(multipart: \(parts.map { redaction.masked($0.name) }.joined(separator: ", ")))")
        }
        return lines.joined(separator: "\n")
    }
    /// The same as ``description``, because debug output is logged, too.
    public var debugDescription: String { description }
    /// No children, so that `dump` does not print secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Response: CustomStringConvertible, CustomDebugStringConvertible {
    /// The status line, one line for each field, with secret values masked, and the size of the body.
    public var description: String {
        var lines = ["HTTP/\(httpVersion) \(status)\(reason.isEmpty ? "" : " \(reason)")"]
        lines += headers.fields.map(\.description)
        if !body.isEmpty { lines.append("(\(ByteCount(body.count).text))") }
        return lines.joined(separator: "\n")
    }
    /// The same as ``description``.
    public var debugDescription: String { description }
}
