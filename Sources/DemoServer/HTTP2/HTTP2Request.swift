/// A complete request of an HTTP/2 connection.
struct HTTP2Request: Sendable {
    /// The number of its stream, to which the response is sent.
    let stream: Int32
    /// The fields with lowercase names, also `:method` and `:path`; of several with one name the first.
    var header: [String: String] = [:]
    /// The body; empty when it is too large.
    var body: [UInt8] = []
    /// Whether the body was above the limit of the connection.
    var isTooLarge = false
}
