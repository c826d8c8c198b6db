/// The sources of the values in one place of a request, for previews.
///
/// It does not contain the values.
package struct ValueSource: Hashable, Sendable {
    /// A part of a request.
    package enum Place: Hashable, Sendable {
        case header(String)
        /// Server, path, query, body, proxy and so on, named as in a problem.
        case part(String)

        /// The place as text: `header X-Token`.
        package var text: String {
            switch self {
            case .header(let name): "header \(name)"
            case .part(let name): name
            }
        }
    }

    /// The place of the values.
    package let place: Place
    /// The sources in the order of the text, without duplicates: `env AWS_SECRET`, `variable base, environment dev`.
    package let sources: [String]

    /// Creates the sources of one place.
    package init(_ place: Place, _ sources: [String]) {
        self.place = place
        self.sources = sources
    }

    /// The maximum number of sources on a line.
    private static let most = 4

    /// The sources on one line, abbreviated where there are many.
    package var text: String {
        let rest = sources.count - Self.most
        return sources.prefix(Self.most).joined(separator: "; ") + (rest > 0 ? "; and \(rest) more" : "")
    }
}
