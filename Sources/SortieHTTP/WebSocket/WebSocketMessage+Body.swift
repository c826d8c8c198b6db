extension WebSocketMessage {
    /// The message that has the content of a request's body: a text where the bytes are valid UTF-8; nil without a body.
    ///
    /// - Throws: `invalidOption` for files and multipart bodies.
    package init?(body: RequestBody) throws(NetworkError) {
        switch body {
        case .none: return nil
        case .bytes(let bytes, _): self = String(validating: bytes, as: UTF8.self).map { .text($0) } ?? .binary(bytes)
        case .file, .multipart:
            throw NetworkError(
                .invalidOption, "a WebSocket message is a text, not a file or a form with parts", hint: "use json: or text: as the body")
        }
    }
}
