package import SortieBase

/// Imports curl command lines: each URL becomes an endpoint of a service for its server.
package enum CurlImport: ImportFormat {
    package static let name = "curl"
    package static let title = "curl command lines"
    package static let endings = [".sh", ".bash", ".zsh", ".curl"]

    package static func recognizes(_ source: ImportSource) -> Bool {
        let start = source.start(1 << 16)
        return start.split(whereSeparator: { $0 == 0x0a || $0 == 0x0d }).contains { line in
            // Other commands, and substitutions, may precede the command on its line, as in `TOKEN=x; curl …` and `x=$(curl …)`.
            String(decoding: line, as: UTF8.self).replacing("$(", with: "|").split { "|;&`".contains($0) }.contains { part in
                CurlScript.namesCurl(part.split(whereSeparator: \.isSpaceOrTab).map(String.init))
            }
        }
    }

    package static func workspace(from source: ImportSource) throws(Diagnostic) -> ImportedWorkspace {
        var script = CurlScript(source: source)
        script.read(try ShellLexer.commands(in: try source.text(), file: source.name))
        return try script.workspace()
    }

    /// The requests of parts of a source, each with the number of its first line; one with a quote that is not closed is a line of the report.
    static func workspace(of parts: [(text: String, line: Int)], in source: ImportSource) throws(Diagnostic) -> ImportedWorkspace {
        var script = CurlScript(source: source)
        for part in parts {
            do throws(Diagnostic) {
                script.read(try ShellLexer.commands(in: part.text, at: SourceLocation(file: source.name, line: part.line, column: 1)))
            } catch { script.omit(error) }
        }
        return try script.workspace()
    }
}

/// The reasons why options of curl are not part of an endpoint.
enum CurlUnsupported {
    /// The reason, with the remedy where there is one.
    static func reason(_ name: String) -> ImportReason {
        reasons[name] ?? "an endpoint has no such setting"
    }

    private static let reasons: [String: ImportReason] = [
        "netrc": ImportReason("", .netrc), "netrc-optional": ImportReason("", .netrc), "netrc-file": ImportReason("", .netrc),
        "unix-socket": ImportReason("", .socket), "abstract-unix-socket": "abstract sockets are not supported",
        "limit-rate": ImportReason("", .rate), "max-filesize": ImportReason("", .bodyLimit),
        "aws-sigv4": "only the provider aws is supported, with a region and a service in the option or the host",
        "http1.0": "HTTP/1.0 is not supported; HTTP/1.1 is sent",
        "http3": "HTTP/3 is not supported", "http3-only": "HTTP/3 is not supported", "http0.9": "HTTP/0.9 responses are errors",
        "proxytunnel": "plain http goes through a proxy without a tunnel", "proxy-header": "fields for the proxy cannot be set",
        "tr-encoding": "a transfer coding is not requested",
        "capath": ImportReason("", .authority), "raw": "responses are always decoded by their transfer coding",
        "retry-delay": "delays grow by themselves, and Retry-After is honoured", "retry-max-time": ImportReason("", .totalTimeout),
        "speed-limit": ImportReason("", .idleTimeout), "speed-time": ImportReason("", .idleTimeout),
        "junk-session-cookies": "session cookies end with the program",
        "expect100-timeout": "the time is fixed",
    ]
}
