public import SortieBase

extension ParameterEncoding {
    /// The pairs of named values, not encoded.
    ///
    /// Members of an object become `k[name]`; an empty container gives no pair; a set is sorted and its name repeated.
    public func pairs(of members: [ParameterValue.Member]) -> [ParameterPair] {
        var pairs: [ParameterPair] = []
        for member in ordered(members) { append(member.value, as: member.name, to: &pairs) }
        return pairs
    }

    /// The pairs as the query of a URL, percent-encoded in the charset; a space is `%20`.
    ///
    /// - Throws: A `ParameterCharset.Problem` with a character that cannot be encoded.
    public func query(of members: [ParameterValue.Member]) throws(ParameterCharset.Problem) -> String {
        try text(of: pairs(of: members), allowed: .unreserved)
    }

    /// The pairs as `application/x-www-form-urlencoded`; a space is `+`.
    ///
    /// - Throws: The errors of ``query(of:)``.
    public func form(of members: [ParameterValue.Member]) throws(ParameterCharset.Problem) -> String {
        try text(of: pairs(of: members), allowed: .form)
    }

    /// Pairs as text, percent-encoded in the charset.
    ///
    /// - Throws: The errors of ``query(of:)``.
    package func text(of pairs: [ParameterPair], allowed: PercentEncoding.Allowed) throws(ParameterCharset.Problem) -> String {
        var items: [String] = []
        items.reserveCapacity(pairs.count)
        for pair in pairs {
            if let spelling = pair.spelling, allowed == .unreserved {
                items.append(spelling)
                continue
            }
            let name = try charset.percentEncoded(pair.name, allowed: allowed)
            guard let value = pair.value else {
                items.append(name)
                continue
            }
            items.append("\(name)=\(try charset.percentEncoded(value, allowed: allowed))")
        }
        return items.joined(separator: "&")
    }

    private func ordered(_ members: [ParameterValue.Member]) -> [ParameterValue.Member] {
        order == .given ? members : members.sorted { ParameterPair.precedes($0.name, $1.name) }
    }

    /// A value as JSON, with its dates in the style of the encoding; members of an object are sorted where the encoding sorts.
    public func json(_ value: ParameterValue) -> JSONValue {
        switch value {
        case .string(let text): .string(text)
        case .integer(let value): .integer(value)
        case .number(let value): value.isFinite ? .number(ParameterValue.text(of: value)) : .null
        case .bool(let value): .bool(value)
        case .null: .null
        case .date(let seconds): dates == .iso8601 ? .string(text(ofDate: seconds)) : .number(text(ofDate: seconds))
        case .array(let items): .array(items.map(json))
        case .set(let items): .array(items.map(json).sorted { ParameterPair.precedes($0.text, $1.text) })
        case .object(let members): .object(ordered(members).map { .init($0.name, json($0.value)) })
        }
    }

    private func append(_ value: ParameterValue, as name: String, to pairs: inout [ParameterPair]) {
        switch value {
        case .null:
            switch nulls {
            case .omit: break
            case .empty: pairs.append(.init(name, ""))
            case .keyOnly: pairs.append(.init(name, nil))
            }
        case .object where objects == .json: pairs.append(.init(name, json(value).compactText))
        case .object(let members):
            for member in ordered(members) { append(member.value, as: "\(name)[\(member.name)]", to: &pairs) }
        case .array(let items): append(items, as: name, to: &pairs)
        case .set(let items):
            let texts = items.filter { !$0.isContainer }.map { text(of: $0) ?? "" }
            pairs += texts.sorted(by: ParameterPair.precedes).map { ParameterPair(name, $0) }
            append(items.filter(\.isContainer), as: name, to: &pairs)
        default: pairs.append(.init(name, text(of: value)))
        }
    }

    private func append(_ items: [ParameterValue], as name: String, to pairs: inout [ParameterPair]) {
        let hasContainers = items.contains(where: \.isContainer)
        if arrays == .commaSeparated, !hasContainers {
            let texts = items.compactMap { item in text(of: item) ?? (nulls == .omit ? nil : "") }
            if !texts.isEmpty { pairs.append(.init(name, texts.joined(separator: ","))) }
            return
        }
        for (index, item) in items.enumerated() {
            let isIndexed = arrays == .indexed || (arrays == .commaSeparated) || (arrays == .repeated && item.isContainer)
            append(item, as: isIndexed ? "\(name)[\(index)]" : arrays == .brackets ? "\(name)[]" : name, to: &pairs)
        }
    }

    /// A scalar as text; nil for null and for containers.
    private func text(of value: ParameterValue) -> String? {
        switch value {
        case .string(let text): text
        case .integer(let value): String(value)
        case .number(let value): ParameterValue.text(of: value)
        case .bool(let value): bools == .oneZero ? (value ? "1" : "0") : String(value)
        case .date(let seconds): text(ofDate: seconds)
        case .null, .array, .set, .object: nil
        }
    }

    private func text(ofDate seconds: Double) -> String {
        switch dates {
        case .secondsSince1970: ParameterValue.text(of: seconds)
        case .millisecondsSince1970: ParameterValue.text(of: (seconds * 1000).rounded())
        case .iso8601: CalendarTime(secondsSince1970: seconds).iso8601
        }
    }
}

extension ParameterValue {
    fileprivate var isContainer: Bool {
        switch self {
        case .array, .set, .object: true
        default: false
        }
    }
}
