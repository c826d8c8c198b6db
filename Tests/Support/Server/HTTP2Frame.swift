/// A frame of HTTP/2 (RFC 9113 §4.1), as a server sends it.
public struct HTTP2Frame: Sendable {
    /// The types of frames (RFC 9113 §6).
    public enum Kind: UInt8, Sendable {
        case data, headers, priority, reset, settings, pushPromise, ping, goAway, windowUpdate, continuation
    }

    /// The type.
    public var kind: Kind
    /// The flags; 1 is END_STREAM or ACK, 4 END_HEADERS.
    public var flags: UInt8
    /// The stream; 0 for the connection.
    public var stream: UInt32
    /// The payload.
    public var payload: [UInt8]

    /// Creates a frame.
    public init(_ kind: Kind, flags: UInt8 = 0, stream: UInt32 = 0, _ payload: [UInt8] = []) {
        (self.kind, self.flags, self.stream, self.payload) = (kind, flags, stream, payload)
    }

    /// The header of a response with status 200 to the first request, with a `Content-Length` where one is given (RFC 7541 §6).
    public static func response(length: Int?) -> HTTP2Frame {
        let digits = length.map { Array("\($0)".utf8) }
        return HTTP2Frame(.headers, flags: 4, stream: 1, [0x88] + (digits.map { [0x0f, 0x0d, UInt8($0.count)] + $0 } ?? []))
    }

    /// A GOAWAY without an error, after which this stream and earlier ones are still served.
    public static func goAway(last stream: UInt32) -> HTTP2Frame { HTTP2Frame(.goAway, bytes(of: stream) + bytes(of: 0)) }

    /// A setting, such as 4 for the initial window of a stream.
    public static func setting(_ number: UInt8, _ value: UInt32) -> HTTP2Frame { HTTP2Frame(.settings, [0, number] + bytes(of: value)) }

    /// The big-endian bytes of a number.
    public static func bytes(of number: UInt32) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }

    /// The bytes on the wire.
    public var bytes: [UInt8] { Self.bytes(of: UInt32(payload.count)).dropFirst() + [kind.rawValue, flags] + Self.bytes(of: stream) + payload }
}

extension [HTTP2Frame] {
    /// The bytes on the wire, one frame after the other.
    public var bytes: [UInt8] { flatMap(\.bytes) }
}
