internal import SortieHTTP

/// The header lines of one attempt in libcurl's notation.
struct RequestFields {
    let lines: [String]

    init(_ spec: TransferRequest) {
        var lines: [String] = []
        lines.reserveCapacity(spec.headers.fields.count + 4)
        let removed = spec.options.removedFields
        func isSent(_ name: String) -> Bool { removed.isEmpty || !removed.contains(name.lowercased()) }
        if spec.options.decompresses, !spec.headers.contains("Accept-Encoding"), isSent("Accept-Encoding") {
            lines.append("Accept-Encoding: \(ContentCoding.offer)")
        }
        for field in spec.headers.fields where isSent(field.name) {
            // libcurl computes the length from the file that it opened. A given Content-Length was compared with the
            // file before.
            if case .file = spec.body, field.isNamed("Content-Length") { continue }
            // In libcurl's notation "Name:" (with or without whitespace) removes the field, and "Name;" sends it with
            // an empty value.
            lines.append(field.value.allSatisfy(\.isWhitespace) ? "\(field.name);" : "\(field.name): \(field.value)")
        }
        if spec.body != .none || spec.method == .post || spec.method == .put || spec.method == .patch {
            if !isSent("Content-Type") {
                // "Content-Type:" is appended below.
            } else if let type = spec.body.contentType {
                if !spec.headers.contains("Content-Type") { lines.append("Content-Type: \(type)") }
            } else if !spec.headers.contains("Content-Type"), !spec.body.isMultipart {
                // Without this, libcurl sends `application/x-www-form-urlencoded`.
                lines.append("Content-Type:")
            }
            // By default libcurl sends `Expect: 100-continue` before an upload and waits a second for a server that
            // does not respond to it (`EngineFacts.md` 4.1).
            if !spec.headers.contains("Expect"), isSent("Expect") { lines.append(spec.asksBeforeBody ? "Expect: 100-continue" : "Expect:") }
        }
        // "Name:" removes a field that libcurl adds.
        if !removed.isEmpty { lines += removed.sorted().map { "\($0):" } }
        self.lines = lines
    }
}

extension RequestBody {
    fileprivate var isMultipart: Bool {
        if case .multipart = self { true } else { false }
    }
}
