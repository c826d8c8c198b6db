package import SortieHTTP

/// Replaces errors by messages for the user, and signals that a login has expired.
///
/// A transport error gets one message of `RequestOptions.texts`; the original one is kept as the underlying message. A response whose code is not
/// success becomes the business error of that code, where the service has no envelope.
package struct ErrorFilterPlugin: Plugin {
    /// The name in decisions and errors.
    package let name = "errorFilter"
    /// True: the setting of the service or the call applies.
    package var isReplaceable: Bool { true }
    private let envelope: Envelope
    private let distinguishes: Bool

    /// The largest body that is parsed for its code.
    private static let largestBody = 1 << 20

    /// Creates a filter.
    ///
    /// - Parameters:
    ///   - envelope: The location and the meaning of the code; responses of a service with an envelope are not changed.
    ///   - distinguishes: Whether failures get the message of their kind: `NetworkError.text(in:)`.
    package init(envelope: Envelope = .resultCode, distinguishes: Bool = false) {
        (self.envelope, self.distinguishes) = (envelope, distinguishes)
    }

    /// Replaces the error of the call, or finds the error in its response.
    package func process(_ exchange: inout Exchange, in context: PluginContext) -> Continuation {
        let texts = context.request.options.texts
        if exchange.error == nil, exchange.value == nil { find(&exchange, texts) }
        if hasLoginExpired(exchange), sentBearer(exchange) {
            context.signal(.authExpired(exchange.error?.message ?? texts.codes["auth_failed"] ?? "auth_failed"))
        }
        if let error = exchange.error {
            if distinguishes {
                exchange.error = error.distinguished(in: texts)
            } else if error.errorClass == .transport {
                exchange.error = error.filtered(in: texts)
            }
        }
        return .next
    }

    /// A response without the code is not changed.
    private func find(_ exchange: inout Exchange, _ texts: UserTexts) {
        guard let response = exchange.response, response.contentType.flatMap(MediaType.init)?.isJSON == true,
            response.body.count <= Self.largestBody
        else { return }
        let answer: JSONValue
        do { answer = try JSONValue(parsing: response.utf8Body) } catch {
            // A body that is not JSON has no code.
            return
        }
        guard envelope.codePath.first(in: answer) != nil else { return }
        switch envelope.apply(to: answer, in: texts) {
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
