/// Exports requests as command lines of HTTPie.
package enum HTTPieExport: ShellClient {
    package static let name = "httpie"
    package static let title = "command lines of HTTPie"

    package static func sends(_ value: String) -> Bool {
        // A backslash before a character that separates the parts of a word is removed, and has no other notation.
        zip(value, value.dropFirst()).allSatisfy { $0 != "\\" || !":;=@".contains($1) }
    }

    package static func function(_ request: CodeRequest) -> [String] {
        var words = ["http"]
        if request.redirects > 0 { words += ["--follow", "--max-redirects=\(request.redirects)"] }
        var (input, end) = ("", "")
        switch request.body {
        case .none: words.append("--ignore-stdin")
        case .text(let text): words += ["--ignore-stdin", "--raw=\(text)"]
        case .bytes(let bytes):
            if let path = path(ofBytes: bytes) { end = " < \(path)" } else { input = "{ \(bytes); } | " }
        }
        var fields = request.headers.map { $0.value == "''" ? "\($0.name)';'" : field($0) }
        if request.hasUntypedBody { fields.append("Content-Type:") }
        // With a body, HTTPie prefers JSON.
        if request.hasBody, !request.headers.contains(where: { $0.name.lowercased() == "accept" }) { fields.append("'Accept: */*'") }
        return [input + command(words + [request.method, request.url] + fields, timeout: request.timeout) + end]
    }
}
