/// `grpc:` of an endpoint: the method that it calls, with unresolved `{{templates}}`.
package struct GRPCSetting: Hashable, Sendable {
    /// The full name of the method, such as `shop.Orders/List`.
    package var method: String
    /// The file that describes the messages, relative to the folder of the endpoint's files; nil where the server describes them.
    package var proto: String?

    /// Creates a setting.
    package init(method: String, proto: String? = nil) {
        (self.method, self.proto) = (method, proto)
    }
}
