/// The identity of an endpoint in a workspace: the path of its file without the extension, such as `shop/orders/list`.
package struct EndpointID: Hashable, Comparable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// The path, as in files, in arguments and in the output of `--json`.
    package let path: String

    /// Creates an identity from a path.
    package init(_ path: String) {
        self.path = path
    }

    /// Creates an identity from a literal path.
    package init(stringLiteral path: String) {
        self.path = path
    }

    /// The path.
    package var description: String { path }

    /// Compares by path.
    package static func < (left: EndpointID, right: EndpointID) -> Bool { left.path < right.path }
}

extension Endpoint {
    /// The identity of the endpoint; ``target`` is its text.
    package var id: EndpointID { EndpointID(target) }
}

extension Workspace {
    /// The endpoint with this identity; nil when the workspace has none.
    package func endpoint(_ id: EndpointID) -> Endpoint? { endpoint(id.path) }
}
