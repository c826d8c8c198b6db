package import Foundation

/// A request to a ``DemoServer`` with a handler of its own.
package struct LocalRequest: Sendable {
    /// The method.
    package var method: String
    /// The path as it was sent, without the query.
    package var path: String
    /// The values of the fields that a handler asks for.
    package var header: @Sendable (String) -> String?
}

/// The response of a handler.
package struct LocalReply: Sendable {
    /// The status.
    package var status: Int
    /// The fields, without `Content-Length`, `Date` and `Server`.
    package var headers: [(String, String)]
    /// The body.
    package var body: Data
    /// Whether the connection is closed before any byte of the response.
    package var closesWithoutResponse = false

    /// Creates a response.
    package init(status: Int, headers: [(String, String)] = [], body: Data = Data()) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}
