internal import SortieBase

/// The places and the order of the parameters in the legacy scheme.
///
/// Public parameters sorted by name, then business parameters sorted by name, then `sign`. Public parameters are always in the query.
package enum LegacyParameterOrder {
    /// The name of the signature parameter.
    package static let signName = "sign"

    /// Whether business parameters of a method are in the query.
    package static func isInQuery(_ method: HTTPMethod) -> Bool { method == .get || method == .head || method == .delete }

    /// The URL with the signature as the last parameter, in place of an earlier one.
    package static func url(_ url: HTTPURL, signed sign: String, name: String = signName) -> HTTPURL {
        unsigned(url, name: name).appending(query: [(name: name, value: sign)])
    }

    /// The URL without a signature.
    package static func unsigned(_ url: HTTPURL, name: String = signName) -> HTTPURL {
        guard let query = url.query else { return url }
        var result = url
        let rest = query.split(separator: "&").filter { $0 != name && !$0.hasPrefix(name + "=") }.joined(separator: "&")
        result.query = rest.isEmpty ? nil : rest
        return result
    }

    /// Sorts the items of a query or a form by their decoded names without changing them; items of one name keep their order.
    package static func sorted(_ text: String, plusIsSpace: Bool = false) -> String {
        text.split(separator: "&")
            .map { item in (item, PercentEncoding.decode(item.prefix { $0 != "=" }, plusIsSpace: plusIsSpace)) }
            .sorted { ParameterPair.precedes($0.1, $1.1) }
            .map { String($0.0) }.joined(separator: "&")
    }
}
