internal import SortieBase
internal import SortieHTTP

/// Replaces the masks in a stored request with secrets.
struct ReplayFilling {
    /// The rebuilt requests whose parts replace masked ones; the first matching part is used.
    let sources: [Request]
    let redaction: Redaction
    /// The masked parts of the stored request.
    let masked: Set<MaskedPart>
    /// The value of the rebuilt requests that is not stored.
    let unknown: UnknownValue
    /// The parts that were replaced.
    private(set) var filled: [String] = []
    /// The masked parts without a match.
    private(set) var missing: [String] = []

    init(sources: [Request], redaction: Redaction, masked: Set<MaskedPart>, unknown: UnknownValue) {
        self.sources = sources
        self.masked = masked
        self.unknown = unknown
        // A value that is secret by its position in a rebuilt request was secret in the original, and was masked everywhere.
        self.redaction = sources.reduce(redaction) { $0.learning(from: $1) }
    }

    /// Records the result for a masked part.
    private mutating func settle<Piece>(_ name: String, _ piece: Piece?) -> Piece? {
        if piece == nil {
            missing.append("\(name) was a secret; secrets are not stored, and its current value is unknown")
        } else {
            filled.append("\(name), with its current value")
        }
        return piece
    }

    /// The URL with the secrets of its path and query.
    mutating func url(_ kept: HTTPURL) -> HTTPURL {
        var url = kept
        if masked.contains(.path) {
            let path = sources.map(\.url.path).first { redaction.hidingValues($0) == kept.path && !unknown.occurs(in: $0) }
            url.path = settle("the path", path) ?? kept.path
        }
        guard let query = kept.query else { return url }
        let items = query.split(separator: "&", omittingEmptySubsequences: false).enumerated().map { index, item -> String in
            guard masked.contains(.query(index)) else { return String(item) }
            let name = item.prefix { $0 != "=" }
            let found = sources.compactMap { source -> String? in
                let items = (source.url.query ?? "").split(separator: "&", omittingEmptySubsequences: false)
                // The item at the same index, or the first matching one of the same name.
                let same = items.indices.contains(index) ? [items[index]] : []
                return (same + items.filter { $0.prefix { $0 != "=" } == name }).first {
                    !unknown.occurs(in: $0) && redaction.maskedForm($0) == item
                }.map(String.init)
            }.first
            return settle("the parameter \(PercentEncoding.decode(name, plusIsSpace: true))", found) ?? String(item)
        }
        url.query = items.joined(separator: "&")
        return url
    }

    /// The header fields with their secrets; fields of the same name are matched in order.
    ///
    /// - Parameter replaced: The names of fields whose stored values are not used.
    mutating func headers(_ kept: Headers, replaced: [String]) -> Headers {
        var turns: [String: Int] = [:]
        return Headers(
            kept.fields.enumerated().map { index, field in
                let name = field.name.lowercased()
                let turn = turns[name, default: 0]
                turns[name] = turn + 1
                guard masked.contains(.header(index)), !replaced.contains(where: { field.isNamed($0) }) else { return field }
                let found = sources.compactMap { source -> HeaderField? in
                    let same = source.headers.fields.filter { $0.isNamed(field.name) }
                    guard same.indices.contains(turn), !unknown.occurs(in: same[turn].value) else { return nil }
                    return redaction.masked(same[turn]).value == field.value ? same[turn] : nil
                }.first
                return HeaderField(field.name, settle(field.name, found?.value) ?? field.value)
            })
    }

    /// The body with its secrets.
    mutating func body(_ kept: RequestBody, contentType: String?) -> RequestBody {
        switch kept {
        case .none, .file: return kept
        case .bytes(let bytes, let type):
            guard masked.contains(.body) else { return kept }
            let found = sources.compactMap { source -> [UInt8]? in
                guard case .bytes(let other, _) = source.body, !unknown.occurs(in: other) else { return nil }
                return redaction.maskedBody(other, contentType: contentType ?? type) == bytes ? other : nil
            }.first
            return settle("a secret in the body", found).map { .bytes($0, contentType: type) } ?? kept
        case .multipart(let parts):
            return .multipart(parts.enumerated().map { part($0.offset, $0.element) })
        }
    }

    private mutating func part(_ index: Int, _ kept: RequestBody.Part) -> RequestBody.Part {
        guard masked.contains(.bodyPart(index)) else { return kept }
        let found = sources.compactMap { source -> RequestBody.Part? in
            guard case .multipart(let parts) = source.body, parts.indices.contains(index) else { return nil }
            let part = parts[index]
            if case .bytes(let other) = part.content, unknown.occurs(in: other) { return nil }
            guard !unknown.occurs(in: part.name), !unknown.occurs(in: part.fileName ?? "") else { return nil }
            let form = RequestBody.multipart([part]).masked(by: redaction, contentType: nil).maskingNames(by: redaction)
            return form == .multipart([kept]) ? part : nil
        }.first
        return settle("the part \(kept.name)", found) ?? kept
    }
}
