/// A gRPC service.
package struct ProtobufService: Hashable, Sendable {
    /// A method of a service.
    package struct Method: Hashable, Sendable {
        /// The name without that of the service.
        package var name = ""
        /// The full name of the request message.
        package var input = ""
        /// The full name of the response message.
        package var output = ""
        /// Whether the client sends any number of messages.
        package var isClientStreaming = false
        /// Whether the server sends any number of messages.
        package var isServerStreaming = false
    }

    /// The full name, such as `shop.Orders`.
    package var name = ""
    /// The methods in the order of the `.proto` file.
    package var methods: [Method] = []
}
