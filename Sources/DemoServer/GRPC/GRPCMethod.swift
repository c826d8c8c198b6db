/// A method of a gRPC service.
struct GRPCMethod: Sendable {
    /// Sends a message of the response.
    typealias Sending = @Sendable ([UInt8]) async throws -> Void

    /// The path, such as `/shop.Orders/Get`.
    let path: String
    /// Reads the messages of the request and sends those of the response; throws ``GRPCFailure`` for a status other than OK.
    let handle: @Sendable (_ messages: [ArraySlice<UInt8>], _ send: @escaping Sending) async throws -> Void
}
