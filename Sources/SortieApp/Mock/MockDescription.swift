internal import Interchange
internal import SortieHTTP

/// The choice among the responses that a description has for an endpoint.
struct MockDescription {
    private let responses: [DescribedResponse]

    init(_ responses: [DescribedResponse]) {
        self.responses = responses
    }

    /// The response and its status; nil where the description has none with a status that can be sent.
    ///
    /// - Parameters:
    ///   - preferences: The `code` and the `example` of the field `Prefer`.
    ///   - accept: The field `Accept`; nil accepts every type.
    func choice(code: Int?, example: String?, accept: String?) -> (response: DescribedResponse, status: Int)? {
        guard let (candidates, status) = candidates(code, example) else { return nil }
        let named = candidates.filter { $0.example == example }
        let ofName = example == nil || named.isEmpty ? candidates : named
        let accepted = ofName.filter { response in response.contentType.map { Self.accepts(accept, $0) } ?? true }
        // A response in another type is better than none (RFC 9110 §12.5.1).
        return (accepted.first ?? ofName.first).map { ($0, status) }
    }

    /// The responses of the wanted status; without one, or where no response has it, of the first success.
    ///
    /// Without a wanted status, the example decides where the first success does not have it.
    private func candidates(_ code: Int?, _ example: String?) -> (responses: [DescribedResponse], status: Int)? {
        if let code {
            let exact = responses.filter { $0.statuses == code...code }
            let ranged = exact.isEmpty ? responses.filter { $0.statuses?.contains(code) ?? false } : exact
            let all = ranged.isEmpty ? responses.filter { $0.statuses == nil } : ranged
            if !all.isEmpty { return (all, code) }
        }
        let success = responses.first { $0.statuses.map { (200...299).contains($0.lowerBound) } ?? false }
        guard var first = success ?? responses.first(where: { $0.statuses == nil }) ?? responses.first else { return nil }
        if code == nil, let example, !responses.contains(where: { $0.statuses == first.statuses && $0.example == example }) {
            first = responses.first { $0.example == example } ?? first
        }
        return (responses.filter { $0.statuses == first.statuses }, first.statuses?.lowerBound ?? 200)
    }

    /// Whether a field `Accept` permits a media type: by the most specific of its ranges that include the type (RFC 9110 §12.5.1).
    private static func accepts(_ field: String?, _ type: String) -> Bool {
        guard let field, !field.isEmpty, let type = MediaType(type)?.essence else { return true }
        let ranges = field.split(separator: ",").map { $0.split(separator: ";").map { $0.filter { !$0.isWhitespace }.lowercased() } }
        let group = type.prefix { $0 != "/" } + "/*"
        for name in [type, String(group), "*/*"] {
            guard let range = ranges.first(where: { $0.first == name }) else { continue }
            return !range.dropFirst().contains { $0.hasPrefix("q=") && Double($0.dropFirst(2)) == 0 }
        }
        return false
    }
}
