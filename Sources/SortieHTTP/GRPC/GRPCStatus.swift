package import SortieBase

/// The result of a gRPC call (gRPC status codes).
public struct GRPCStatus: Hashable, Sendable {
    /// The code; 0 is OK.
    public let code: Int
    /// The message of the server; empty for none.
    public let message: String
    /// The bytes of the details, a `google.rpc.Status`; nil without details, and where they are not Base64.
    package let details: [UInt8]?

    /// Creates a status.
    public init(code: Int, message: String = "") {
        (self.code, self.message) = (code, message)
        details = nil
    }

    /// The status in the fields of a response; nil where there is none.
    package init?(_ headers: Headers) {
        guard let text = headers["grpc-status"] else { return nil }
        // A code that is not a number counts as unknown (gRPC over HTTP/2, “Responses”).
        code = Int(text).flatMap { $0 >= 0 ? $0 : nil } ?? 2
        message = PercentEncoding.decode(headers["grpc-message"] ?? "")
        details = headers["grpc-status-details-bin"].flatMap(Base64.bytes)
    }

    /// The names of the codes from 0.
    package static let names = [
        "OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND", "ALREADY_EXISTS", "PERMISSION_DENIED",
        "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED", "OUT_OF_RANGE", "UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE", "DATA_LOSS",
        "UNAUTHENTICATED",
    ]

    /// The name of the code, such as `NOT_FOUND`; the number of an unknown one.
    public var name: String { Self.names.indices.contains(code) ? Self.names[code] : String(code) }

    /// The code; 2 (UNKNOWN) for one that gRPC does not define.
    package var knownCode: Int { Self.names.indices.contains(code) ? code : 2 }
    /// The name, the number and the message, such as `NOT_FOUND (5): no such order`.
    package var text: String { "\(name)\(Self.names.indices.contains(code) ? " (\(code))" : "")\(message.isEmpty ? "" : ": \(message)")" }
    /// Whether the call succeeded.
    public var isOK: Bool { code == 0 }
    /// Whether the server does not have the method.
    package var isUnimplemented: Bool { code == 12 }
    /// Whether the server refuses the method or the metadata, whatever the message: PERMISSION_DENIED, UNIMPLEMENTED, UNAUTHENTICATED.
    package var refusesHeader: Bool { [7, 12, 16].contains(code) }

    /// The details as JSON, a list of messages with `@type`; nil without details.
    ///
    /// - Parameter schema: The types of the details beside those of `google/rpc/error_details.proto`; a message of another type is displayed as
    ///   its bytes.
    package func details(_ schema: ProtobufSchema) throws(ProtobufError) -> JSONValue? {
        guard let details else { return nil }
        var schema = schema
        schema.messages.merge(ProtobufSchema.errorDetails.messages) { described, _ in described }
        let decoder = ProtobufDecoder(schema)
        var items: [JSONValue] = []
        var reader = try ProtobufReader(details[...])
        while let field = try reader.next() { if case (3, .bytes(let any)) = field { items.append(try decoder.any(any, 0)) } }
        return items.isEmpty ? nil : .array(items)
    }
}

extension Response {
    /// The status of a gRPC call; nil for another response.
    ///
    /// It is in the trailer, or in the header of a response without a message.
    public var grpcStatus: GRPCStatus? { GRPCStatus(trailers) ?? GRPCStatus(headers) }

    /// Whether the body has messages of gRPC (gRPC over HTTP/2, “Responses”).
    package var isGRPC: Bool {
        guard let essence = contentType.flatMap(MediaType.init)?.essence else { return false }
        return essence == "application/grpc" || essence.hasPrefix("application/grpc+")
    }
}

extension HTTPURL {
    /// The URL of a gRPC method on the server of this URL.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - other: The method whose path this URL may end with, which is replaced; what precedes it is kept.
    package func calling(_ method: GRPCMethodPath, insteadOf other: GRPCMethodPath? = nil) -> HTTPURL {
        var url = self
        let end = "/\(other ?? method)"
        let prefix = path.hasSuffix(end) ? path.dropLast(end.count) : path.hasSuffix("/") ? path.dropLast() : path[...]
        url.path = "\(prefix)/\(method)"
        return url
    }
}

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
