public import SortieHTTP

/// Words failures for the person, and says when a login has run out (S0.27).
///
/// A transport error is told in the friendly words of ``NetworkError/filtered``, and what was there before stays beneath. An answer whose code is not
/// success becomes the business error of that code, where no envelope of the service has looked for it already (S0.16).
public struct ErrorFilterPlugin: Plugin {
    /// The name in decisions and errors.
    public let name = "errorFilter"
    private let envelope: Envelope

    /// The largest body that is read as a whole to look for its code.
    private static let largestBody = 1 << 20

    /// A filter.
    ///
    /// - Parameter envelope: where the code is and what it means; the answer of a service with an envelope of its own is left alone.
    public init(envelope: Envelope = .legacy) {
        self.envelope = envelope
    }

    /// Replaces the error of the call, or finds the one in its answer.
    public func process(_ exchange: inout Exchange, in context: PluginContext) -> Continuation {
        if exchange.error == nil, exchange.value == nil { find(&exchange) }
        if hasLoginExpired(exchange), sentBearer(exchange) {
            context.signal(.authExpired(exchange.error?.message ?? Envelope.commonMessages["auth_failed"] ?? "auth_failed"))
        }
        if let error = exchange.error, error.errorClass == .transport { exchange.error = error.filtered }
        return .next
    }

    /// An answer without the code is none of this kind.
    private func find(_ exchange: inout Exchange) {
        guard let response = exchange.response, response.contentType.flatMap(MediaType.init)?.isJSON == true,
            response.body.count <= Self.largestBody
        else { return }
        let answer: JSONValue
        do { answer = try JSONValue(parsing: response.utf8Body) } catch {
            // Not a failure: what is no JSON has no code.
            return
        }
        guard envelope.codePath.first(in: answer) != nil else { return }
        switch envelope.apply(to: answer) {
        case .success(let value): exchange.value = value
        case .failure(let failure):
            exchange.value = failure.payload
            exchange.error = failure.error
        }
    }

    private func hasLoginExpired(_ exchange: Exchange) -> Bool {
        exchange.error?.meansLoginExpired == true || exchange.response?.status == 401
    }

    private func sentBearer(_ exchange: Exchange) -> Bool {
        exchange.sentHeaders["Authorization"]?.lowercased().hasPrefix("bearer ") == true
    }
}
