internal import SortieBase
package import SortieHTTP

extension DryRun {
    /// The name of the fact that contains the signed text.
    package static let signedName = "signed"

    /// One line of the displayed result.
    package struct Line: Hashable, Sendable {
        /// The kind of a line.
        package enum Kind: Hashable, Sendable {
            /// Method and URL.
            case request
            /// A header field.
            case field
            /// A line of the body.
            case body
            /// A named fact.
            case fact
            /// A named error.
            case failure
        }

        /// The kind of the line.
        package var kind: Kind
        /// The method, the name of a field, or the subject of a fact; empty for a line of the body.
        package var name: String
        /// The rest of the line.
        package var rest: String
        /// Where the values in the line come from; nil for text of the endpoint itself.
        package var source: String?

        /// A line.
        package init(kind: Kind, name: String, rest: String, source: String? = nil) {
            (self.kind, self.name, self.rest, self.source) = (kind, name, rest, source)
        }

        /// The complete line.
        package var text: String {
            switch kind {
            case .request: "\(name) \(rest)"
            case .field: "\(name): \(rest)\(source.map { "  (\($0))" } ?? "")"
            case .body: rest
            case .fact, .failure: "* \(name): \(rest)"
            }
        }
    }

    /// The result as lines, the message first; used by the command line and the workbench.
    ///
    /// - Parameter isForWorkbench: Whether an error is a sentence with a remedy of the workbench, instead of its code and a remedy of commands.
    package func lines(redaction: Redaction, isForWorkbench: Bool = false) -> [Line] {
        let redaction = redaction.learning(from: request)
        var lines = [Line(kind: .request, name: request.method.rawValue, rest: redaction.maskedURL(request.url.description))]
        lines += redaction.masked(headers).fields.map { field in
            Line(kind: .field, name: field.name, rest: field.value, source: source(of: field.name).map { redaction.masked($0) })
        }
        let body = bodyText(redaction)
        if !body.isEmpty {
            lines.append(Line(kind: .body, name: "", rest: ""))
            lines += body.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { Line(kind: .body, name: "", rest: String($0)) }
        }
        lines.append(Line(kind: .body, name: "", rest: ""))
        lines += partSources.map { Line(kind: .fact, name: "source", rest: redaction.masked("\($0.name) from \($0.text)")) }
        lines += facts.map { Line(kind: .fact, name: $0.name, rest: redaction.masked($0.text)) }
        // Every line of the signed text has the name in front, so that the rest of each line is the exact text.
        lines += (signed?.masked(by: redaction).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) ?? [])
            .map { Line(kind: .fact, name: Self.signedName, rest: String($0)) }
        if let error = error.map({ redaction.masked($0) }) {
            let hint = isForWorkbench ? error.workbenchHint : error.programHint
            lines.append(
                Line(
                    kind: .failure, name: isForWorkbench ? "Nothing would be sent" : error.code.rawValue,
                    rest: [error.message, hint].compactMap { $0 }.joined(separator: "; ")))
        }
        return lines
    }

    /// Where the value of a header field comes from.
    private func source(of field: String) -> String? {
        let texts = (request.origin?.sources ?? []).filter { source in
            switch source.place {
            case .header(let name): HeaderField(name, "").isNamed(field)
            case .part(let name): name.hasPrefix("auth ") && HeaderField(field, "").isNamed("Authorization")
            }
        }.map(\.text)
        return texts.isEmpty ? nil : texts.joined(separator: "; ")
    }

    /// Where the values of the other parts come from: server, path, query, body.
    private var partSources: [(name: String, text: String)] {
        var sources: [(name: String, text: String)] = []
        for source in request.origin?.sources ?? [] {
            guard case .part(let name) = source.place, !name.hasPrefix("auth ") || !headers.contains("Authorization") else { continue }
            // A URL contains its server and its path in one line.
            if let index = sources.firstIndex(where: { $0.text == source.text }) {
                if sources[index].name != name { sources[index].name += ", \(name)" }
            } else {
                sources.append((name, source.text))
            }
        }
        return sources
    }

    /// Additional information about the message.
    private var facts: [(name: String, text: String)] {
        var facts: [(name: String, text: String)] = []
        if let path = request.options.unixSocket { facts.append(("socket", "through the Unix socket \(path)")) }
        facts += decisions.filter { $0.subject != .cache }.map { (name: $0.subject.rawValue, text: $0.text) }
        facts.append(("cache", cache))
        if let trust { facts.append(("trust", trust)) }
        facts += EndpointKey.all.compactMap { key in key.fact(request.options).map { (name: key.name, text: $0) } }
        if request.options.credential.login != nil, let scheme = request.options.credential.challengeScheme {
            facts.append(("auth", "\(scheme): Authorization responds to the server's challenge"))
        }
        return facts
    }

    /// How the server would be verified; nil for a URL without TLS.
    private var trust: String? {
        guard request.url.scheme == .https else { return nil }
        let policy = request.options.trust
        guard !policy.isInsecure else { return "NOT VERIFIED: anyone could read and change the traffic" }
        var words = [policy.certificateAuthorityFile.map { "verified against \($0)" } ?? "verified against the system's certificates"]
        if !policy.pins.isEmpty {
            words.append("\(ItemCount.text(policy.pins.count, "pinned key")) of the \(policy.pinScope.rawValue)")
        }
        if !policy.pinFiles.isEmpty {
            let what = policy.pinMatch == .certificate ? "certificates" : "keys"
            words.append("the \(policy.pinScope.rawValue) among the \(what) in \(policy.pinFiles.joined(separator: ", "))")
        }
        if policy.minimumTLS != .usual { words.append("TLS \(policy.minimumTLS.rawValue) or later") }
        if let file = policy.clientCertificateFile { words.append("with the client certificate \(file)") }
        return words.joined(separator: ", ")
    }

    /// The body as text before encryption, or its kind and size where it is not text.
    private func bodyText(_ redaction: Redaction) -> String {
        let text: String
        switch plainBody {
        case .none: return ""
        case .bytes(let bytes, let contentType):
            let type = plainBody == request.body ? request.headers["Content-Type"] ?? contentType : contentType
            switch DebugLogBlock.Content(plainBody, contentType: type) {
            case .text(let body, _, let whole):
                text = redaction.maskedBody(body, contentType: type) + (whole.map { "\n… (the beginning of \($0) bytes)" } ?? "")
            default: text = "(\(ByteCount(bytes.count).text), not text)"
            }
        case .file(let path, _): text = redaction.masked("(the file \(path))")
        case .multipart(let parts):
            guard case .multipart(let masked) = RequestBody.multipart(parts).masked(by: redaction, contentType: nil) else { return "" }
            text = masked.map { part in
                switch part.content {
                case .bytes(let bytes): "\(redaction.masked(part.name))=\(String(decoding: bytes, as: UTF8.self))"
                case .file(let path): redaction.masked("\(part.name)=@\(path)")
                }
            }.joined(separator: "\n")
        }
        guard plainBody != request.body, case .bytes(let bytes, let type) = request.body else { return text }
        return text + "\n(sent encrypted: \(ByteCount(bytes.count).text) of \(type ?? MediaType.octetStream))"
    }

    /// The result as a record for `--dry-run --json`.
    package func record(redaction: Redaction) -> JSONValue {
        let redaction = redaction.learning(from: request)
        return [
            "method": .string(request.method.rawValue), "url": .string(redaction.maskedURL(request.url.description)),
            "headers": .array(redaction.masked(headers).fields.map { .array([.string($0.name), .string($0.value)]) }),
            "body": .string(bodyText(redaction)), "addresses": .array(addresses.map { .string($0.description) }),
            "answeredFromCache": .bool(isAnsweredFromCache), "signed": signed.map { .string($0.masked(by: redaction)) } ?? .null,
            "sources": .array(
                (request.origin?.sources ?? []).map { source in
                    .object([
                        .init("place", .string(source.place.text)),
                        .init("sources", .array(source.sources.map { .string(redaction.masked($0)) })),
                    ])
                }),
            "facts": .array(facts.map { .object([.init("subject", .string($0.name)), .init("text", .string(redaction.masked($0.text)))]) }),
            "error": error.map { redaction.masked($0).record } ?? .null,
        ]
    }
}
