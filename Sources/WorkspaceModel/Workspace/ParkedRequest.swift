package import struct FoundationEssentials.Date

/// A parked request in the form in which it is stored across program runs.
///
/// It contains the endpoint with unresolved templates, as it was when first sent. Values that must be fresh are therefore created when it is
/// sent again, and secrets in templates are not stored.
package struct ParkedRequest: Hashable, Sendable, Identifiable {
    /// The identity of the parked request.
    package var id: String
    /// The endpoint to send.
    package var endpoint: Endpoint
    /// The environment in which it was sent.
    package var environment: String?
    /// The time of the first attempt.
    package var since: Date
    /// The time at which it is abandoned.
    package var expires: Date
    /// Why it could not be sent.
    package var reason: String
    /// Whether it was being sent when this was stored; if so, the server may have received it, and it is not sent again automatically.
    package var isOut: Bool

    /// Creates a parked request.
    package init(
        id: String, endpoint: Endpoint, environment: String?, since: Date, expires: Date, reason: String, isOut: Bool = false
    ) {
        (self.id, self.endpoint, self.environment, self.since, self.expires) = (id, endpoint, environment, since, expires)
        (self.reason, self.isOut) = (reason, isOut)
    }
}
