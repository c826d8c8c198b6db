internal import SortieBase
package import SortieHTTP

/// The origin of a request, with which the request can be built again: the endpoint as it was sent, and the values of its templates.
package struct RequestOrigin: Hashable, Sendable {
    /// The endpoint with its templates, including unsaved edits.
    package var endpoint: Endpoint
    /// The values of variables by name, without those of secrets.
    package var variables: [String: String]
    /// The values of built-ins by their text (`uuid`, `date yyyy`), in the order of evaluation.
    package var builtins: [String: [String]]
    /// The sources of the values, for previews; not stored.
    package var sources: [ValueSource] = []
    /// The run that a step belongs to.
    package var run: String?
    /// The name of the step in its run.
    package var step: String?
    /// Whether its run sends it now, and reports the end of the step; not stored, so that it is false for a replay of the request.
    package var isSentByRun = false

    /// Creates an origin.
    package init(endpoint: Endpoint, variables: [String: String] = [:], builtins: [String: [String]] = [:], run: String? = nil, step: String? = nil) {
        (self.endpoint, self.variables, self.builtins, self.run, self.step) = (endpoint, variables, builtins, run, step)
    }
}

extension Request {
    /// Whether the endpoint of the request has a GraphQL body.
    package var isGraphQL: Bool { origin?.endpoint.body.isGraphQL == true }
}

extension Request {
    /// The endpoint and the values from which the request was built, stored as its ``tag``; nil for one that was built from no endpoint.
    package var origin: RequestOrigin? {
        get { tag?.value(as: RequestOrigin.self) }
        set { tag = newValue.map { RequestTag($0) } }
    }
}

extension RequestOrigin {
    /// Returns the origin in the form for storage.
    ///
    /// A literal secret is masked. A secret from a template (`{{token}}`) stays a template, so that a replay uses its current value.
    package func masked(by redaction: Redaction) -> RequestOrigin {
        guard !redaction.isOff else { return self }
        var result = self
        result.endpoint = endpoint.masked(by: TemplateMasking(redaction: redaction))
        result.variables = variables.filter { name, value in !redaction.isSecretPath(name) && redaction.masked(value) == value }
        result.builtins = builtins.filter { key, values in
            // Values of the environment and of files are resolved again, because they may be secret without being marked as such.
            let name = key.prefix { !$0.isWhitespace }
            let isOwn = ["uuid", "timestamp", "date", "random"].contains(name) || name == "prompt" && !PromptQuestion.isSecret(key: key)
            return isOwn && values.allSatisfy { redaction.masked($0) == $0 }
        }
        return result
    }
}

extension Endpoint {
    /// The endpoint with its literal secrets masked.
    fileprivate func masked(by masking: TemplateMasking) -> Endpoint {
        var result = self
        // The target of a URL of the command line is the URL.
        result.target = HTTPURL.isAbsolute(target) ? masking.path(target) : target
        result.name = HTTPURL.isAbsolute(name) ? masking.path(name) : masking.text(name)
        result.summary = summary.map { masking.text($0) }
        result.path = masking.path(path)
        result.query = masking.rows(query)
        result.headers = masking.rows(headers)
        result.auth = auth.mapping { field, text in field.isSecret ? masking.secret(text) : masking.text(text) }
        result.body = masking.body(body, contentType: headers.last { $0.isEnabled && $0.name.lowercased() == "content-type" }?.value)
        // The sent body has the text.
        result.bodyFileEdit = nil
        result.variables = Dictionary(uniqueKeysWithValues: variables.map { ($0, masking.value($1, of: $0)) })
        for rows in [\Expectation.json, \.headers, \.body] {
            result.expectation?[keyPath: rows] = masking.rows(expectation?[keyPath: rows] ?? [], namesTell: false)
        }
        result.expectation?.shape = expectation?.shape.map { masking.text($0) }
        result.download?.to = download?.to.map { masking.text($0) }
        return result
    }
}

/// Masks the literal parts of texts with templates.
private struct TemplateMasking {
    let redaction: Redaction

    /// A text without the values of secrets.
    func text(_ text: String) -> String { redaction.masked(text) }

    /// The masked value of a field or parameter with this name.
    func value(_ value: String, of name: String) -> String {
        if redaction.isSecretPath(name) { return secret(value, of: name) }
        let isNested = Self.withDigits(Array(value.utf8)).withUnsafeBytes { Redaction.mayBeNested($0) }
        return isNested ? document(value, contentType: nil) : text(value)
    }

    /// Masks a secret value; its templates are preserved, with the surrounding text where that only identifies the kind of secret.
    func secret(_ value: String, of name: String = "") -> String {
        guard !value.isEmpty else { return value }
        if name.lowercased() == "cookie" {
            return value.split(separator: ";", omittingEmptySubsequences: false).map { item in
                guard let equals = item.firstIndex(of: "=") else { return secret(String(item)) }
                return item[...equals] + secret(String(item[item.index(after: equals)...]))
            }.joined(separator: ";")
        }
        guard !Template(value).isPlain else { return HeaderField.mask }
        var result = ""
        var rest = value[...]
        while let open = rest.firstRange(of: "{{"), let close = rest[open.upperBound...].firstRange(of: "}}") {
            result += plain(rest[..<open.lowerBound]) + rest[open.lowerBound..<close.upperBound]
            rest = rest[close.upperBound...]
        }
        return result + plain(rest)
    }

    /// The text beside a template: a scheme of RFC 9110 §11 or a sign is preserved; anything else may be part of the secret.
    private func plain(_ text: Substring) -> String {
        let word = text.lowercased().filter { $0.isLetter || $0.isNumber }
        return word.isEmpty || ["basic", "bearer", "digest", "token", "apikey"].contains(word) ? String(text) : HeaderField.mask
    }

    func rows(_ rows: [Parameter], namesTell: Bool = true) -> [Parameter] {
        rows.map { row in
            var row = row
            row.value = namesTell ? value(row.value, of: row.name) : text(row.value)
            row.summary = row.summary.map { text($0) }
            return row
        }
    }

    /// A path or a URL with a query.
    func path(_ path: String) -> String {
        guard let questionMark = path.firstIndex(of: "?") else { return text(path) }
        return text(String(path[..<questionMark])) + "?" + items(path[path.index(after: questionMark)...])
    }

    /// - Parameter contentType: the media type of the endpoint's header field.
    func body(_ body: BodyTemplate, contentType: String?) -> BodyTemplate {
        switch body {
        case .none: body
        case .json(let text): .json(json(text))
        case .form(let rows): .form(self.rows(rows))
        case .plist(let text): .plist(document(text, contentType: "application/xml"))
        case .graphQL(let request):
            .graphQL(
                GraphQLTemplate(
                    query: document(request.query, contentType: "application/graphql"), variables: json(request.variables),
                    operation: request.operation.map { self.text($0) }))
        case .text(let text, let type):
            .text(textBody(text, contentType: contentType ?? type), contentType: type)
        case .file(let path, let type): .file(path: text(path), contentType: type)
        case .multipart(let parts):
            .multipart(
                parts.map { part in
                    var part = part
                    let isSecret = redaction.isSecretPath(part.name)
                    part.value =
                        part.isFile
                        ? text(part.value)
                        : isSecret ? secret(part.value, of: part.name) : document(part.value, contentType: part.contentType ?? "text/plain")
                    return part
                })
        }
    }

    /// A text with a media type; text that looks like JSON is treated as JSON, whatever its type.
    private func textBody(_ text: String, contentType: String?) -> String {
        let type = MediaType(contentType ?? "")
        // GraphQL may begin like JSON.
        if type?.essence == "application/graphql" { return document(text, contentType: contentType) }
        let first = text.first { !$0.isWhitespace }
        if type?.isJSON == true || (first == "{" && !text.drop(while: \.isWhitespace).hasPrefix("{{")) || first == "[" { return json(text) }
        return type?.essence == "application/x-www-form-urlencoded" ? items(text) : document(text, contentType: contentType)
    }

    /// Masks the literal secrets of a document by the rules of its notation.
    private func document(_ text: String, contentType: String?) -> String {
        let plain = Self.withDigits(Array(text.utf8))
        let rule = MaskingRule(contentType: contentType, body: BodyBytes(Array(plain.prefix(BodyKind.sniffedBytes + 1))), isDecoded: true)
        return self.text(replacing(in: text, redaction.replacements(in: plain, by: rule)) { secret($0) })
    }

    /// The text with replacements, except those of ranges with templates.
    private func replacing(in text: String, _ replacements: [(Range<Int>, [UInt8])], _ secret: (String) -> String) -> String {
        let bytes = Array(text.utf8)
        var result = ""
        var end = 0
        for (range, replacement) in replacements {
            let value = String(decoding: bytes[range], as: UTF8.self)
            result += String(decoding: bytes[end..<range.lowerBound], as: UTF8.self)
            result += Template(value).isPlain ? String(decoding: replacement, as: UTF8.self) : secret(value)
            end = range.upperBound
        }
        return result + String(decoding: bytes[end...], as: UTF8.self)
    }

    /// The bytes with digits in place of templates, with the same length: valid in a number and in a string.
    private static func withDigits(_ bytes: [UInt8]) -> [UInt8] {
        var plain = bytes
        var start = bytes.startIndex
        while let open = bytes[start...].firstPair(UInt8(ascii: "{")), let close = bytes[(open + 2)...].firstPair(UInt8(ascii: "}")) {
            for index in open..<close + 2 { plain[index] = UInt8(ascii: "1") }
            start = close + 2
        }
        return plain
    }

    /// The items of a query or a form.
    private func items(_ text: some StringProtocol) -> String {
        let items = text.split(separator: "&", omittingEmptySubsequences: false).map { item in
            guard let equals = item.firstIndex(of: "=") else { return String(item) }
            let name = PercentEncoding.decode(item[..<equals], plusIsSpace: true)
            return item[...equals] + value(String(item[item.index(after: equals)...]), of: name)
        }
        return redaction.hidingValues(items.joined(separator: "&"))
    }

    /// JSON with templates, which may replace more than strings.
    private func json(_ text: String) -> String {
        let replacements = Self.withDigits(Array(text.utf8)).withUnsafeBytes { redaction.replacements(inJSON: $0) }
        return redaction.hidingValues(replacing(in: text, replacements) { secretJSON($0) })
    }

    private func secretJSON(_ value: String) -> String {
        guard !Template(value).isPlain, value.first != "[", value.first != "{" || value.hasPrefix("{{") else { return "\"\(HeaderField.mask)\"" }
        guard value.first == "\"" else { return secret(value) }
        return "\"\(secret(String(value.dropFirst().dropLast())))\""
    }
}

extension ArraySlice<UInt8> {
    /// The index of the first doubled byte.
    fileprivate func firstPair(_ byte: UInt8) -> Int? {
        indices.dropLast().first { self[$0] == byte && self[$0 + 1] == byte }
    }
}
