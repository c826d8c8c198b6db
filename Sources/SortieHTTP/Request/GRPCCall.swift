/// What makes a request a call of a gRPC method: its JSON body becomes messages of Protocol Buffers, and the messages of the response become JSON.
///
/// The body of the request is one JSON object, or a list of them for a method whose client streams. The body of the response is one JSON object, or a
/// list for a method whose server streams. The path of the URL is that of the method, the method of the request POST, and the version HTTP/2. The total
/// time limit is sent as the deadline of the call. The status of the call is in ``Response/grpcStatus``; one other than OK is not an error of the request.
public struct GRPCCall: Hashable, Sendable {
    /// Where the types of the messages are described.
    public enum Schema: Hashable, Sendable {
        /// The server describes them (`grpc.reflection.v1.ServerReflection`, or `v1alpha`).
        case reflection
        /// A file describes them: the absolute path of a set of descriptors with all imports, as `protoc --include_imports --descriptor_set_out`
        /// writes it. The program also accepts a `.proto` file, which imports others below `folder`.
        case file(path: String, folder: String)
    }

    /// The full name of the method, such as `shop.Orders/List`.
    public var method: String
    /// Where the types are described.
    public var schema: Schema

    /// Creates the settings of a call.
    ///
    /// - Parameters:
    ///   - method: The full name of the method, such as `shop.Orders/List`.
    ///   - schema: Where the types are described.
    public init(method: String, schema: Schema = .reflection) {
        (self.method, self.schema) = (method, schema)
    }
}
