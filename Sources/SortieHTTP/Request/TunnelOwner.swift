/// The service whose tunnel a request uses that is sent on behalf of another request, such as the request for an access token.
package struct TunnelOwner: Hashable, Sendable {
    /// The name of the service.
    package var service: String
    /// Whether the request goes to the origin of the other request.
    package var isAtOrigin: Bool

    /// Creates an owner.
    package init(service: String, isAtOrigin: Bool) {
        self.service = service
        self.isAtOrigin = isAtOrigin
    }
}
