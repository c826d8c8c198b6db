/// The purpose of sending a request.
public enum RequestKind: String, Hashable, Sendable, CaseIterable {
    /// A response is shown.
    case data
    /// A file is downloaded, and the download can be resumed.
    case download
    /// A file is uploaded.
    case upload
    /// A WebSocket connection is opened (RFC 6455).
    case webSocket
    /// A method of gRPC is called (``GRPCCall``).
    case grpc
    /// Server-sent events are received (WHATWG HTML §9.2).
    case events
}
