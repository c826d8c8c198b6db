import FlyingFox
import FlyingSocks
import Foundation

extension Reply {
    /// Converts the reply to FlyingFox's response.
    ///
    /// - Parameters:
    ///   - isHead: Whether the request was a HEAD. The response keeps Content-Length and drops the body, which FlyingFox would send.
    ///   - closes: Whether the connection is closed after the body.
    ///   - server: The value of `Server`.
    func response(isHead: Bool, closes: Bool, server: String = "SortieDemo") -> HTTPResponse {
        var fields = HTTPHeaders()
        for (name, value) in headers {
            fields.addValue(String(String.UnicodeScalarView(value.unicodeScalars.filter(Self.isAllowed))), for: HTTPHeader(name))
        }
        fields[HTTPHeader("Date")] = HTTPDate(Date()).description
        fields[HTTPHeader("Server")] = server
        if closes { fields[.connection] = "close" }
        let code = HTTPStatusCode(status, phrase: StatusPhrase.of(status))
        switch body {
        case .none:
            return HTTPResponse(webSocket: Hangup())
        case .data(let data):
            if isHead { fields[.contentLength] = String(data.count) }
            let shown = isHead ? Data() : data
            guard closes else { return HTTPResponse(statusCode: code, headers: fields, body: shown) }
            let cut = PulledBytes(state: shown.isEmpty ? nil : shown) { (rest: inout Data?) in
                // FlyingFox keeps the connection open unless the body sequence throws, so it throws after the last
                // byte.
                guard let data = rest else { throw SocketError.disconnected }
                rest = nil
                return data
            }
            return HTTPResponse(statusCode: code, headers: fields, body: HTTPBodySequence(from: cut, count: shown.count))
        case .sequence(let sequence):
            if isHead {
                if let count = sequence.count { fields[.contentLength] = String(count) }
                return HTTPResponse(statusCode: code, headers: fields, body: Data())
            }
            return HTTPResponse(statusCode: code, headers: fields, body: sequence)
        }
    }

    /// Rejects line breaks, which a field value must not contain (RFC 9110 §5.5).
    ///
    /// ESC is allowed, because `/escape` sends it.
    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        scalar != "\r" && scalar != "\n" && scalar != "\0"
    }
}

/// Closes the connection before any byte of a response is sent.
///
/// FlyingFox writes nothing before a WebSocket handler has accepted, and closes the connection when the handler
/// throws.
private struct Hangup: WSHandler {
    func makeFrames(for client: AsyncThrowingStream<WSFrame, any Error>) async throws -> AsyncStream<WSFrame> {
        throw SocketError.disconnected
    }
}
