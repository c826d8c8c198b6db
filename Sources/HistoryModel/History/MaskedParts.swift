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
        self.request = request
        self.endpoint = endpoint
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
            updateRows(&expectation.json) { _ in .expectation }
            updateRows(&expectation.headers) { _ in .expectation }
            self.expectation = expectation
        }
        if var answer {
            updateOptional(&answer.shape, .shape)
            self.answer = answer
        }
        if var download {
            updateOptional(&download.to, .destination)
            self.download = download
        }
    }
}
