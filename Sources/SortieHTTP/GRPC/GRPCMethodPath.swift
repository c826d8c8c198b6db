internal import SortieBase

/// The full name of a gRPC method.
package struct GRPCMethodPath: Hashable, Sendable, CustomStringConvertible {
    /// The full name of the service, such as `shop.Orders`.
    package let service: String
    /// The name of the method.
    package let method: String

    /// Parses `shop.Orders/List`, also with a slash before it, and `shop.Orders.List`; nil for other text.
    package init?(_ text: String) {
        let text = text.hasPrefix("/") ? text.dropFirst() : text[...]
        guard let separator = text.lastIndex(of: "/") ?? text.lastIndex(of: ".") else { return nil }
        service = String(text[..<separator])
        method = String(text[text.index(after: separator)...])
        func isName(_ text: Substring) -> Bool {
            !text.isEmpty && text.utf8.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == UInt8(ascii: "_") }
        }
        guard isName(method[...]), service.split(separator: ".", omittingEmptySubsequences: false).allSatisfy(isName) else { return nil }
    }

    /// The name with a slash.
    package var description: String { "\(service)/\(method)" }
}
