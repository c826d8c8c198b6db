package import SortieBase

/// The response with which a mock refuses a request that is not as described.
package struct ContractRefusal: Sendable {
    /// The members of a body that have a message, the preferred ones first.
    private static let names = ["message", "detail", "msg", "error_description", "description", "reason", "error", "title"]

    /// The status.
    package let status: Int
    /// The media type of the body.
    package let type: String
    /// The body; nil where the description has none for the status.
    package let body: JSONValue?

    /// The response that the description has for a status, else for 4XX or `default`, with a sentence in the place of a message; a value of its schema
    /// where it has one.
    ///
    /// - Parameters:
    ///   - statuses: The statuses in the order of preference; the first one is that of a range.
    ///   - message: What is wrong.
    ///   - violations: The violations, which are a member of a body that permits others.
    package init(
        of operation: ContractOperation, in contract: OpenAPIContract, statuses: [Int] = [400, 422], message: String, violations: [String]
    ) {
        let usual = statuses.first ?? 400
        let (status, media, sample) = contract.withParts { parts in
            let responses = parts.details(of: operation).responses
            let exact = statuses.lazy.compactMap { status in responses.first { $0.statuses == status...status }.map { (status, $0) } }.first
            let ranges = responses.filter { $0.statuses?.contains(usual) ?? true }.sorted {
                ($0.statuses?.count ?? .max) < ($1.statuses?.count ?? .max)
            }
            let found = exact ?? ranges.first.map { (usual, $0) }
            let media = found?.1.media.first { OpenAPIMedia.isJSON($0.type) }
            var sample = OpenAPISample(parts.reader, isResponse: true)
            let value = media?.value.flatMap { value in
                OpenAPISample.example(in: value, parts.reader) ?? value["schema"].flatMap { sample.value(for: $0) }
            }
            return (found?.0 ?? usual, media, value)
        }
        (self.status, type) = (status, media?.type ?? "application/json")
        guard var sample else {
            body = nil
            return
        }
        // Problem details repeat the status (RFC 9457 §3.1.2).
        if type == "application/problem+json", case .object(var members) = sample, let index = members.firstIndex(where: { $0.key == "status" }) {
            members[index].value = .integer(self.status)
            sample = .object(members)
        }
        let named = Self.replacingMessage(of: sample, by: message) ?? sample
        var candidates = [named, sample]
        if case .object(let members) = named {
            let list = JSONValue.Member("violations", .array(violations.map(JSONValue.string)))
            candidates.insert(.object(members.filter { $0.key != list.key } + [list]), at: 0)
        }
        body = candidates.first { value in media?.schema.map { contract.isValid(value, by: $0) == true } ?? true } ?? named
    }

    /// The value with another message; nil where it has none.
    private static func replacingMessage(of value: JSONValue, by message: String) -> JSONValue? {
        switch value {
        case .object(var members):
            for name in names {
                guard let index = members.firstIndex(where: { $0.key.lowercased() == name }), case .string = members[index].value else { continue }
                members[index].value = .string(message)
                return .object(members)
            }
            for index in members.indices {
                guard let replaced = replacingMessage(of: members[index].value, by: message) else { continue }
                members[index].value = replaced
                return .object(members)
            }
            return nil
        case .array(var items):
            guard let first = items.first, let replaced = replacingMessage(of: first, by: message) else { return nil }
            items[0] = replaced
            return .array(items)
        case .null, .bool, .number, .string: return nil
        }
    }
}
