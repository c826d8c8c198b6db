internal import SortieBase

/// Masks a multipart body (RFC 2046 §5.1): each part according to its name and type, and the header fields of the parts.
struct MultipartMasking {
    package let redaction: Redaction
    package let depth: Int

    private static let mask = Array(HeaderField.mask.utf8)

    /// Writes the body in pieces.
    ///
    /// - Parameter boundary: the delimiter of the parts; nil where the type does not give it, so that the first line determines it.
    package func mask(
        _ bytes: UnsafeRawBufferPointer, boundary: String?, afterEach: () -> Void, into write: (UnsafeRawBufferPointer) -> Void
    ) {
        let first = bytes.firstIndex(of: 0x0A, in: 0..<min(bytes.count, 256)) ?? 0
        let line = bytes[rebased: 0..<first].text.split(whereSeparator: \.isLineBreak).first ?? ""
        let delimiter = boundary.map { "--\($0)" } ?? (line.hasPrefix("--") ? String(line) : "")
        guard depth < Redaction.nestingLimit, let pattern = BytePattern("\n\(delimiter)", ignoringCase: false, encoding: .utf8), delimiter.count > 2
        else { return redaction.mask(bytes, by: .text, depth: depth, afterEach: afterEach, into: write) }
        var start = 0
        if !bytes.starts(with: delimiter.utf8) {
            // Receivers do not display the preamble before the first part, but it may contain a secret.
            start = pattern.first(in: bytes, 0..<bytes.count).map { $0.lowerBound + 1 } ?? bytes.count
            redaction.mask(bytes[rebased: 0..<start], by: .text, depth: depth, afterEach: afterEach, into: write)
        }
        while start < bytes.count {
            let head = bytes.firstIndex(of: 0x0A, in: start..<bytes.count).map { $0 + 1 } ?? bytes.count
            write(bytes[rebased: start..<head])
            // The line break before the next delimiter is part of that delimiter, and may be the one that ends this delimiter.
            let next = pattern.first(in: bytes, max(start, head - 1)..<bytes.count)?.lowerBound
            var end = next ?? bytes.count
            if next != nil, end > head, bytes[end - 1] == 0x0D { end -= 1 }
            end = max(head, end)
            maskMessage(bytes[rebased: head..<end], into: write)
            start = next.map { $0 + 1 } ?? bytes.count
            if end < start { write(bytes[rebased: end..<max(end, start)]) }
            afterEach()
        }
    }

    /// Masks header fields, a blank line and a body.
    private func maskMessage(_ bytes: UnsafeRawBufferPointer, into write: (UnsafeRawBufferPointer) -> Void) {
        let lines = LineMasking(redaction: redaction, readsNames: true)
        var start = 0
        var name: String?
        var isFile = false
        var type: String?
        while start < bytes.count {
            let end = bytes.firstIndex(of: 0x0A, in: start..<bytes.count).map { $0 + 1 } ?? bytes.count
            let line = bytes[rebased: start..<end]
            start = end
            guard let text = line.text.split(whereSeparator: \.isLineBreak).first else {
                write(line)
                break
            }
            let parts = text.split(separator: ":", maxSplits: 1)
            if parts.count == 2, parts[0].lowercased() == "content-disposition" {
                let parameters = FieldParameters(of: String(parts[1]))
                (name, isFile) = (parameters["name"], parameters["filename"] != nil)
            } else if parts.count == 2, parts[0].lowercased() == "content-type" {
                type = parts[1].drop { $0 == " " }.description
            }
            lines.mask(line, afterEach: {}, into: write)
        }
        let body = bytes[rebased: start..<bytes.count]
        guard !body.isEmpty else { return }
        if let name, redaction.isSecretPath(name) { return Self.mask.withUnsafeBytes { write($0) } }
        if type?.lowercased().hasPrefix("application/http") == true, depth + 1 < Redaction.nestingLimit {
            // A request or a response with its start line.
            let end = body.firstIndex(of: 0x0A, in: 0..<body.count).map { $0 + 1 } ?? body.count
            lines.mask(body[rebased: 0..<end], afterEach: {}, into: write)
            return MultipartMasking(redaction: redaction, depth: depth + 1).maskMessage(body[rebased: end..<body.count], into: write)
        }
        let beginning = BodyBytes(Array(body.prefix(BodyKind.sniffedBytes + 1)))
        let rule = MaskingRule(contentType: type ?? (isFile ? nil : "text/plain"), body: beginning)
        redaction.mask(body, by: rule, depth: depth + 1, afterEach: {}, into: write)
    }
}
