/// The parameters of permessage-deflate that a server agreed to (RFC 7692 §7.1).
package struct WebSocketCompression: Hashable, Sendable {
    /// Whether each message of the server is compressed without regard to those before it.
    package private(set) var serverForgetsMessages = false
    /// Whether each message of the client must be compressed without regard to those before it.
    package private(set) var clientForgetsMessages = false
    /// The base-2 logarithm of the server's window.
    package private(set) var serverWindowBits = 15
    /// The base-2 logarithm of the largest window that the client may use.
    package private(set) var clientWindowBits = 15

    /// The value of `Sec-WebSocket-Extensions` that offers the extension; the server may limit the client's window.
    package static let offer = "permessage-deflate; client_max_window_bits"

    /// Creates the default parameters.
    package init() {}

    /// Parses the extensions that a server uses, where the client sent ``offer``; nil for none.
    ///
    /// - Parameter values: The values of the fields `Sec-WebSocket-Extensions` of the response.
    /// - Throws: `extensions` for another or a repeated extension, `extensionParameters` for parameters that are not those of RFC 7692.
    package init?(accepted values: [String]) throws(WebSocketError) {
        let extensions = values.flatMap { $0.split(separator: ",").map(\.trimmingOptionalWhitespace).filter { !$0.isEmpty } }
        guard !values.isEmpty else { return nil }
        guard extensions.count == 1,
            let parts = extensions.first?.split(separator: ";", omittingEmptySubsequences: false).map(\.trimmingOptionalWhitespace),
            parts.first == "permessage-deflate"
        else { throw WebSocketError(.extensions, "the server uses “\(values.joined(separator: ", "))”") }
        var names: Set<String> = []
        for part in parts.dropFirst() {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(\.trimmingOptionalWhitespace)
            let name = pair[0]
            guard names.insert(name).inserted else { throw WebSocketError(.extensionParameters, "“\(name)” is repeated") }
            try add(name, pair.count > 1 ? pair[1] : nil)
        }
    }

    private mutating func add(_ name: String, _ value: String?) throws(WebSocketError) {
        switch (name, value) {
        case ("server_no_context_takeover", nil): serverForgetsMessages = true
        case ("client_no_context_takeover", nil): clientForgetsMessages = true
        case ("server_max_window_bits", let value?): serverWindowBits = try Self.windowBits(value, of: name)
        case ("client_max_window_bits", let value?): clientWindowBits = try Self.windowBits(value, of: name)
        default: throw WebSocketError(.extensionParameters, "the server sent “\(name)\(value.map { "=\($0)" } ?? "")”")
        }
    }

    /// 8 to 15 without leading zeros, which may be in quotes (RFC 6455 §9.1).
    private static func windowBits(_ value: String, of name: String) throws(WebSocketError) -> Int {
        let isQuoted = value.count > 2 && value.hasPrefix("\"") && value.hasSuffix("\"")
        let digits = isQuoted ? String(value.dropFirst().dropLast()) : value
        guard let bits = (8...15).first(where: { String($0) == digits }) else {
            throw WebSocketError(.extensionParameters, "the server sent “\(name)=\(value)”")
        }
        return bits
    }
}

extension WebSocketCompression: CustomStringConvertible {
    /// The parameters as the server writes them, without those that have their default.
    package var description: String {
        var parts = ["permessage-deflate"]
        if serverForgetsMessages { parts.append("server_no_context_takeover") }
        if clientForgetsMessages { parts.append("client_no_context_takeover") }
        if serverWindowBits < 15 { parts.append("server_max_window_bits=\(serverWindowBits)") }
        if clientWindowBits < 15 { parts.append("client_max_window_bits=\(clientWindowBits)") }
        return parts.joined(separator: "; ")
    }
}

/// Decompresses the messages of one connection (RFC 7692 §7.2.2).
package protocol WebSocketDecompressor: AnyObject {
    /// Decompresses a part of a message and appends the result to `message`.
    ///
    /// - Parameters:
    ///   - part: The next bytes of the payload of the message.
    ///   - isLast: Whether the part ends the message.
    ///   - message: The decompressed bytes so far.
    ///   - limit: The largest accepted size of `message`.
    /// - Throws: `compressedData` for invalid data, and `messageLimit` before the message becomes larger than the limit.
    func decompress(_ part: ArraySlice<UInt8>, isLast: Bool, into message: inout [UInt8], limit: Int) throws(WebSocketError)
}
