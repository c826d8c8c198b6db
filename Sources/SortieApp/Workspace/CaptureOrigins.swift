internal import DequeModule
internal import SortieHTTP

/// The origins from which the captured values of this program came, and the secrets with `hosts:` that were sent.
struct CaptureOrigins {
    /// The origins by value; one value may come from several.
    private var origins: [String: Set<String>] = [:]
    /// The values, the oldest first.
    private var order: Deque<String> = []
    /// The secrets that only certain hosts may receive.
    private(set) var restricted: Set<RequestSecrets.Restricted> = []

    /// The number of values that are kept.
    ///
    /// The origins of older ones are unknown, so that no origin receives them without permission.
    private static let limit = 50_000

    /// The origins of a value; empty for an unknown one.
    subscript(_ value: String) -> Set<String> { origins[value] ?? [] }

    mutating func note(_ values: some Sequence<String>, from sources: some Sequence<String>) {
        for value in values {
            if origins[value] == nil {
                order.append(value)
                if order.count > Self.limit, let oldest = order.popFirst() { origins[oldest] = nil }
            }
            origins[value, default: []].formUnion(sources)
        }
    }

    mutating func note(_ request: Request) { restricted.formUnion(request.secrets.restricted) }
}
