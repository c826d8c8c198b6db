package import SortieHTTP
package import WorkspaceModel

/// The parts of a stored exchange that contain masks in place of secrets.
///
/// The text of a mask does not identify a masked part, because a user may send that text.
/// A part counts as a whole: where it contains both a mask and the same text of the user, both are unknown.
package struct MaskedParts: Hashable, Sendable {
    /// The masked parts of the request.
    package var request: Set<MaskedPart>
    /// The masked parts of the endpoint that the request was built from.
    package var endpoint: Set<MaskedPart>

    /// Creates a value of these parts.
    package init(request: Set<MaskedPart> = [], endpoint: Set<MaskedPart> = []) {
        (self.request, self.endpoint) = (request, endpoint)
    }

    /// Finds the parts of `masked` that differ from those of the request that was masked.
    package init(of original: Request, in masked: Request) {
        request = Self.changes(original.maskableParts, masked.maskableParts)
        endpoint = Self.changes(original.origin?.endpoint.maskableParts ?? [:], masked.origin?.endpoint.maskableParts ?? [:])
    }

    /// Adds the parts of `other`.
    package mutating func formUnion(_ other: MaskedParts) {
        request.formUnion(other.request)
        endpoint.formUnion(other.endpoint)
    }

    private static func changes<Value: Equatable>(_ original: [MaskedPart: Value], _ masked: [MaskedPart: Value]) -> Set<MaskedPart> {
        Set(masked.keys.filter { original[$0] != masked[$0] })
    }
}

extension Request {
    /// The texts of the parts that masking may change.
    package var maskableParts: [MaskedPart: [[UInt8]]] {
        var parts: [MaskedPart: [[UInt8]]] = [.path: [Array(url.path.utf8)]]
        for (index, item) in (url.query?.split(separator: "&", omittingEmptySubsequences: false) ?? []).enumerated() {
            parts[.query(index)] = [Array(item.utf8)]
        }
        for (index, field) in headers.fields.enumerated() { parts[.header(index)] = [Array(field.name.utf8), Array(field.value.utf8)] }
        switch body {
        case .none, .file: break
        case .bytes(let bytes, _): parts[.body] = [bytes]
        case .multipart(let all):
            for (index, part) in all.enumerated() {
                parts[.bodyPart(index)] = [Array(part.name.utf8), Array((part.fileName ?? "").utf8)]
                if case .bytes(let bytes) = part.content { parts[.bodyPart(index)]?.append(bytes) }
            }
        }
        return parts
    }
}

extension Endpoint {
    /// The texts of the parts that masking may change.
    package var maskableParts: [MaskedPart: [String]] {
        var (parts, copy): ([MaskedPart: [String]], Endpoint) = ([:], self)
        copy.updateMaskableParts { part, _, text in parts[part, default: []].append(text) }
        return parts
    }

    /// Returns the endpoint with other texts in place of the masks in `parts`.
    package func replacingMasks(in parts: Set<MaskedPart>, with text: (_ name: String) -> String) -> Endpoint {
        guard !parts.isEmpty else { return self }
        var result = self
        result.updateMaskableParts { part, name, value in
            guard parts.contains(part) else { return }
            value = value.replacing(HeaderField.mask, with: text(name))
        }
        return result
    }

    /// Calls `update` with each part that masking may change, the name of its value, and its text.
    private mutating func updateMaskableParts(_ update: (MaskedPart, String, inout String) -> Void) {
        func updateRows(_ rows: inout [Parameter], _ part: (Int) -> MaskedPart) {
            for index in rows.indices { update(part(index), rows[index].name, &rows[index].value) }
        }
        func updateOptional(_ text: inout String?, _ part: MaskedPart) {
            guard var value = text else { return }
            update(part, "secret", &value)
            text = value
        }
        update(.name, "name", &name)
        updateOptional(&summary, .summary)
        update(.path, "path", &path)
        updateRows(&query, MaskedPart.query)
        updateRows(&headers, MaskedPart.header)
        for name in variables.keys { update(.variable(name), name, &variables[name, default: ""]) }
        auth = auth.mapping { field, text in
            var text = text
            update(.auth, field.name, &text)
            return text
        }
        switch body {
        case .none: break
        case .json(var text):
            update(.body, "secret", &text)
            body = .json(text)
        case .text(var text, let type):
            update(.body, "secret", &text)
            body = .text(text, contentType: type)
        case .plist(var text):
            update(.body, "secret", &text)
            body = .plist(text)
        case .graphQL(var request):
            update(.body, "secret", &request.query)
            update(.body, "secret", &request.variables)
            updateOptional(&request.operation, .body)
            body = .graphQL(request)
        case .file(var path, let type):
            update(.body, "file", &path)
            body = .file(path: path, contentType: type)
        case .form(var rows):
            updateRows(&rows, MaskedPart.bodyPart)
            body = .form(rows)
        case .multipart(var parts):
            for index in parts.indices { update(.bodyPart(index), parts[index].name, &parts[index].value) }
            body = .multipart(parts)
        }
        if var expectation {
            for rows in [\Expectation.json, \.headers, \.body] { updateRows(&expectation[keyPath: rows]) { _ in .expectation } }
            updateOptional(&expectation.shape, .shape)
            self.expectation = expectation
        }
        if var download {
            updateOptional(&download.to, .destination)
            self.download = download
        }
    }
}

extension Exchange {
    /// Returns the exchange in the form for storage, with secrets masked in header fields, parameters, errors, cookies, checks of hooks and the
    /// request's body.
    ///
    /// The body of the response is unchanged, because it may be of any size. It is masked when it is written, with
    /// ``Redaction/mask(_:contentType:into:)``.
    package func masked(by redaction: Redaction) -> Exchange {
        guard !redaction.isOff else { return self }
        var result = self
        result.request = request.masked(by: redaction, contentType: sentHeaders["Content-Type"])
        result.response = response?.masked(by: redaction)
        let head = response?.head
        result.attempts = attempts.map { attempt in
            var masked = attempt.masked(by: redaction)
            if attempt.body != .none { masked.body = result.request.body }
            masked.response = attempt.response == head ? result.response?.head : attempt.response?.masked(by: redaction)
            return masked
        }
        result.value = value.map { redaction.masked($0) }
        result.error = error.map { redaction.masked($0) }
        result.reportedChecks = reportedChecks.map { $0.masked(by: redaction) }
        return result
    }
}

extension Request {
    /// The request in the form for storage.
    fileprivate func masked(by redaction: Redaction, contentType: String?) -> Request {
        var result = self
        result.url = url.masked(by: redaction)
        result.otherServers = otherServers.map { $0.masked(by: redaction) }
        result.headers = redaction.masked(headers)
        result.body = body.masked(by: redaction, contentType: headers["Content-Type"] ?? body.contentType ?? contentType)
            .maskingNames(by: redaction)
        result.options.credential = options.credential.mapping { $0.isSecret ? HeaderField.mask : redaction.masked($1) }
        result.options.proxy?.credentials = options.proxy?.credentials.map { .init(user: $0.user, password: HeaderField.mask) }
        result.origin = origin?.masked(by: redaction)
        result.secrets = RequestSecrets()
        return result
    }
}

extension RequestBody {
    /// A copy with the names of its parts, and of the files in them, masked.
    func maskingNames(by redaction: Redaction) -> RequestBody {
        guard case .multipart(let parts) = self else { return self }
        return .multipart(
            parts.map { part in
                var part = part
                part.name = redaction.masked(part.name)
                part.fileName = part.fileName.map { redaction.masked($0) }
                return part
            })
    }
}

extension Response {
    /// The response in the form for storage, with an unchanged body.
    fileprivate func masked(by redaction: Redaction) -> Response {
        var result = self
        result.reason = redaction.masked(reason)
        result.headers = redaction.masked(headers)
        result.trailers = redaction.masked(trailers)
        result.informational = informational.map { redaction.masked($0) }
        result.truncation = truncation.map { redaction.masked($0) }
        return result
    }
}

extension Attempt {
    /// The attempt as it may be stored; the caller masks its response and replaces its body.
    fileprivate func masked(by redaction: Redaction) -> Attempt {
        var result = self
        result.url = url.masked(by: redaction)
        result.sentHeaders = redaction.masked(sentHeaders)
        result.error = error.map { redaction.masked($0) }
        result.sentCookies = sentCookies.map { $0.masked }
        result.setCookies = setCookies.map { decision in
            var decision = decision
            decision.name = redaction.masked(decision.name)
            decision.cookie = decision.cookie?.masked
            if case .refused(let reason) = decision.outcome { decision.outcome = .refused(redaction.masked(reason)) }
            return decision
        }
        return result
    }
}

extension Cookie {
    /// The cookie without its value.
    fileprivate var masked: Cookie {
        var cookie = self
        if !value.isEmpty { cookie.value = HeaderField.mask }
        return cookie
    }
}

/// A part of a stored request, or of the endpoint that it was built from.
package enum MaskedPart: Hashable, Sendable {
    /// The name of the endpoint.
    case name
    /// The description of the endpoint.
    case summary
    /// The path.
    case path
    /// The item of the query with this index.
    case query(Int)
    /// The header field with this index.
    case header(Int)
    /// The credentials.
    case auth
    /// The body, where it has no parts.
    case body
    /// The part of a multipart body, or the row of a form, with this index.
    case bodyPart(Int)
    /// The variable with this name.
    case variable(String)
    /// The expected response.
    case expectation
    /// The JSON shape of the response.
    case shape
    /// The destination of a download.
    case destination

    /// Whether the value is sent.
    package var isSent: Bool {
        switch self {
        case .name, .summary, .expectation, .shape, .destination: false
        case .path, .query, .header, .auth, .body, .bodyPart, .variable: true
        }
    }
}
