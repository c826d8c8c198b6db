internal import SortieBase

/// The places and the order of the parameters in the legacy scheme (S0.29).
///
/// Public parameters sorted by name, then business parameters sorted by name, then `sign`. Public parameters are always in the query.
package struct LegacyParameterOrder: Hashable, Sendable {
    /// Whether PUT sends business parameters in the query too, as the original does.
    package var putUsesQuery: Bool

    /// Creates an order; by default, PUT sends parameters in the body, as is usual in HTTP.
    package init(putUsesQuery: Bool = false) {
        self.putUsesQuery = putUsesQuery
    }

    /// The parameters in their places.
    package struct Placement: Hashable, Sendable {
        /// The parameters of the query, without `sign`.
        package var query: [ParameterPair]
        /// The parameters of the body.
        package var body: [ParameterPair]
    }

    /// The name of the signature parameter.
    package static let signName = "sign"

    /// Whether business parameters of a method are in the query.
    package func isInQuery(_ method: HTTPMethod) -> Bool {
        method == .get || method == .head || method == .delete || (method == .put && putUsesQuery)
    }

    /// Sorts and places the parameters; omits a `sign` of an earlier attempt.
    package func placement(method: HTTPMethod, public publicPairs: [ParameterPair], business: [ParameterPair]) -> Placement {
        let first = publicPairs.sortedByName.filter { $0.name != Self.signName }
        let second = business.sortedByName.filter { $0.name != Self.signName }
        return isInQuery(method) ? Placement(query: first + second, body: []) : Placement(query: first, body: second)
    }

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

    /// The public parameters of the original, in order (S0.29).
    ///
    /// - Parameter time: The local time for `timeStamp`.
    package static func publicParameters(
        appId: String, appVersion: String, deviceId: String, time: CalendarTime, device: String = "iOS", lang: String = "zh-cn",
        region: String = "cn"
    ) -> [ParameterPair] {
        [
            ParameterPair("appId", appId), ParameterPair("appVersion", appVersion), ParameterPair("device", device),
            ParameterPair("deviceId", deviceId), ParameterPair("lang", lang), ParameterPair("region", region),
            ParameterPair("timeStamp", time.compact),
        ]
    }
}
