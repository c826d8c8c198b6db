/// Exports requests as command lines of GNU Wget.
package enum WgetExport: ShellClient {
    package static let name = "wget"
    package static let title = "command lines of Wget"
    package static let addsType = true

    package static func function(_ request: CodeRequest) -> [String] {
        // Wget repeats a request whose connection fails, and leaves out the body of an error.
        var words = ["wget", "-q", "-O", "-", "--content-on-error", "--tries=1", "--max-redirect=\(request.redirects)"]
        var lines: [String] = []
        var end: [String] = []
        if request.method != "GET" || request.hasBody { words.append("--method=\(request.method)") }
        for header in request.headers { words.append("--header=\(field(header))") }
        switch request.body {
        case .none: break
        case .text(let text): words.append("--body-data=\(text)")
        case .bytes(let bytes):
            if let path = path(ofBytes: bytes) {
                words.append("--body-file=\(path)")
            } else {
                // Wget reads the length of a file before it sends it.
                lines = ["body=$(mktemp)", "{ \(bytes); } > \"$body\""]
                words.append("--body-file=\"$body\"")
                end = ["rm -f \"$body\""]
            }
        }
        return lines + [command(words + [request.url], timeout: request.timeout)] + end
    }
}
