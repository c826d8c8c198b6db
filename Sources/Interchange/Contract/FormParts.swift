internal import SortieBase
internal import SortieHTTP

/// The parts of a form that is a multipart body (RFC 7578), for comparisons.
struct FormParts {
    /// The names and the values; the value of a file is empty.
    private(set) var pairs: [ParameterPair] = []
    /// The names of parts whose content is not compared: files, and masked values.
    private(set) var uncompared: Set<String> = []

    /// Reads the parts of a request.
    init(_ parts: [RequestBody.Part]) {
        for part in parts {
            switch part.content {
            case .bytes(let bytes) where part.fileName == nil: add(part.name, String(decoding: bytes, as: UTF8.self))
            case .bytes, .file: add(part.name, nil)
            }
        }
    }

    /// Reads a body; nil where its type has no boundary.
    init?(_ bytes: [UInt8], type: String) {
        guard let boundary = FieldParameters(of: type)["boundary"], !boundary.isEmpty else { return nil }
        let delimiter = Array("\r\n--\(boundary)".utf8)
        // The first delimiter begins a line, too.
        var rest = (Array("\r\n".utf8) + bytes)[...]
        while let start = rest.firstRange(of: delimiter) {
            rest = rest[start.upperBound...]
            let content = rest[..<(rest.firstRange(of: delimiter)?.lowerBound ?? rest.endIndex)]
            guard !content.starts(with: "--".utf8), let head = content.firstRange(of: "\r\n\r\n".utf8) else { continue }
            let lines = String(decoding: content[..<head.lowerBound], as: UTF8.self).split(whereSeparator: \.isLineBreak)
            let disposition = lines.first { $0.lowercased().hasPrefix("content-disposition:") }
            let parameters = FieldParameters(of: String(disposition?.split(separator: ":", maxSplits: 1).last ?? ""))
            guard let name = parameters["name"] else { continue }
            add(name, parameters["filename"] == nil ? String(decoding: content[head.upperBound...], as: UTF8.self) : nil)
        }
    }

    private mutating func add(_ name: String, _ value: String?) {
        if value?.contains(HeaderField.mask) ?? true { uncompared.insert(name) }
        pairs.append(ParameterPair(name, value ?? ""))
    }

    /// Whether a failure is about the content of a part that is compared, or about the form.
    func isCompared(_ failure: JSONSchemaFailure) -> Bool {
        guard case .name(let name)? = failure.path.steps.first?.selectors.first else { return true }
        return !uncompared.contains(name)
    }
}
