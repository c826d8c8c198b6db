internal import SortieHTTP

/// The origins from which the captured values of this program came, and the secrets with `hosts:` that were sent.
struct CaptureOrigins {
    /// The origins by value; one value may come from several.
    private var origins: [String: Set<String>] = [:]
    /// The secrets that only certain hosts may receive.
    private(set) var restricted: Set<RequestSecrets.Restricted> = []

    /// The number of values that are kept; of others the origins in the files count.
    private static let limit = 10_000

    /// The origins of a value; nil for an unknown one, as that of a run in an earlier program.
    subscript(_ value: String) -> Set<String>? { origins[value] }

    mutating func note(_ values: some Sequence<String>, from request: Request) {
        let sent = ([request.url] + request.otherServers).map(\.origin)
        for value in values {
            if origins.count >= Self.limit { origins.removeAll() }
            origins[value, default: []].formUnion(sent)
        }
    }

    mutating func note(_ request: Request) { restricted.formUnion(request.secrets.restricted) }
}
