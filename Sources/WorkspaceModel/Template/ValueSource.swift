/// Where the values in one place of a request came from, for previews; the values themselves are not in it.
public struct ValueSource: Hashable, Sendable {
    /// A part of a request.
    public enum Place: Hashable, Sendable {
        case header(String)
        /// Server, path, query, body, proxy and so on, as a problem there would be named.
        case part(String)

        /// The place as text: `header X-Token`.
        package var text: String {
            switch self {
            case .header(let name): "header \(name)"
            case .part(let name): name
            }
        }
    }

    /// What the values are in.
    public let place: Place
    /// The sources in the order of the text, each once: `env AWS_SECRET`, `variable base, environment dev`.
    public let sources: [String]

    /// Sources of one place.
    public init(_ place: Place, _ sources: [String]) {
        self.place = place
        self.sources = sources
    }

    /// How many sources a line lists.
    private static let most = 4

    /// The sources on one line, only the first ones where there are many.
    public var text: String {
        let rest = sources.count - Self.most
        return sources.prefix(Self.most).joined(separator: "; ") + (rest > 0 ? "; and \(rest) more" : "")
    }
}
