/// An error that becomes a status of gRPC other than OK.
struct GRPCFailure: Error {
    /// The codes that the demo uses (gRPC status codes).
    enum Code: Int, Sendable {
        case invalidArgument = 3
        case notFound = 5
        case resourceExhausted = 8
        case unimplemented = 12
        case `internal` = 13
    }

    let code: Code
    let message: String
    /// A message of Protocol Buffers with the full name of its type, which is sent as a detail.
    var detail: (type: String, bytes: [UInt8])?
}
