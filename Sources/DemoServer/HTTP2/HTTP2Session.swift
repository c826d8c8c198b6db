import CHTTP2

/// The streams of one HTTP/2 connection of a client; its owner receives and sends the bytes.
///
/// libnghttp2 reads and writes the frames, and ends the connection of a client that breaks the protocol.
final class HTTP2Session {
    /// The limits of a connection.
    struct Limits: Sendable {
        /// The number of concurrent requests.
        var streams = 64
        /// The bytes of the names and values of a header.
        var headerBytes = 16 << 10
        /// The bytes of a body.
        var bodyBytes = 4 << 20
        /// The bytes of the bodies of all concurrent requests.
        var totalBytes = 16 << 20
    }

    /// libnghttp2 cannot create or continue the connection.
    struct Failure: Error {}

    typealias Field = (name: String, value: String)

    private struct Stream {
        var request: HTTP2Request
        var headerBytes = 0
        /// Whether the response has a header.
        var hasBegun = false
        /// The bytes of the response that are not sent.
        var output: [UInt8] = []
        /// The trailer, which follows them; nil while the response can continue.
        var trailer: [Field]?
    }

    private let limits: Limits
    private var state: OpaquePointer?
    private var streams: [Int32: Stream] = [:]
    private var requests: [HTTP2Request] = []

    init(limits: Limits = Limits()) throws {
        self.limits = limits
        var handlers = Self.handlers
        state = chttp2_open(
            &handlers, Unmanaged.passUnretained(self).toOpaque(),
            chttp2_limits(streams: UInt32(limits.streams), header_size: UInt32(limits.headerBytes)))
        if state == nil { throw Failure() }
    }

    deinit { if let state { chttp2_close(state) } }

    /// Whether nothing is to be received or sent any more.
    var isEnded: Bool { state.map(chttp2_is_ended) ?? true }

    /// Reads received bytes.
    ///
    /// - Returns: The requests that the bytes complete.
    /// - Throws: An error for bytes that are not HTTP/2.
    func receive(_ bytes: [UInt8]) throws -> [HTTP2Request] {
        guard let state, chttp2_receive(state, bytes, bytes.count) else { throw Failure() }
        defer { requests = [] }
        return requests
    }

    /// The next bytes to send; nil where there are none.
    func nextBytes() throws -> [UInt8]? {
        guard let state else { return nil }
        var bytes: UnsafePointer<UInt8>?
        let count = chttp2_send(state, &bytes)
        guard count >= 0 else { throw Failure() }
        return count == 0 ? nil : Array(UnsafeBufferPointer(start: bytes, count: count))
    }

    /// Whether the client still waits for the response of a stream.
    func isOpen(_ stream: Int32) -> Bool { streams[stream] != nil }

    /// Whether the response of a stream has a header.
    func hasBegun(_ stream: Int32) -> Bool { streams[stream]?.hasBegun == true }

    /// Starts a response.
    ///
    /// - Parameter hasBody: Whether a body and a trailer follow.
    func respond(_ stream: Int32, _ fields: [Field], hasBody: Bool) throws {
        guard let state, isOpen(stream) else { return }
        streams[stream]?.hasBegun = true
        guard Self.withFields(fields, { chttp2_respond(state, stream, $0, $1, hasBody) }) else { throw Failure() }
    }

    /// Adds bytes to the body of a response.
    func send(_ bytes: [UInt8], to stream: Int32) {
        streams[stream]?.output += bytes
        resume(stream)
    }

    /// Ends a response with a trailer.
    func end(_ stream: Int32, trailer: [Field]) {
        streams[stream]?.trailer = trailer
        resume(stream)
    }

    private func resume(_ stream: Int32) { if let state, isOpen(stream) { chttp2_resume(state, stream) } }

    // MARK: - Calls of libnghttp2

    private static let handlers = chttp2_handlers(
        field: { context, stream, name, nameSize, value, valueSize in
            HTTP2Session.of(context).received(
                name: UnsafeBufferPointer(start: name, count: nameSize), value: UnsafeBufferPointer(start: value, count: valueSize), stream)
        },
        data: { context, stream, bytes, count in HTTP2Session.of(context).received(UnsafeBufferPointer(start: bytes, count: count), stream) },
        end: { context, stream in HTTP2Session.of(context).ended(stream) },
        closed: { context, stream in HTTP2Session.of(context).streams[stream] = nil },
        body: { context, stream, bytes, size in HTTP2Session.of(context).write(stream, to: UnsafeMutableBufferPointer(start: bytes, count: size)) })

    private static func of(_ context: UnsafeMutableRawPointer) -> HTTP2Session {
        Unmanaged<HTTP2Session>.fromOpaque(context).takeUnretainedValue()
    }

    private func received(name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>, _ id: Int32) -> Bool {
        var stream = streams[id] ?? Stream(request: HTTP2Request(stream: id))
        // Each field counts 32 bytes more than its text (RFC 9113 §6.5.2).
        stream.headerBytes += name.count + value.count + 32
        let isAccepted = stream.headerBytes <= limits.headerBytes
        if isAccepted {
            let (name, value) = (String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self))
            stream.request.header[name] = stream.request.header[name] ?? value
        }
        streams[id] = stream
        return isAccepted
    }

    private func received(_ bytes: UnsafeBufferPointer<UInt8>, _ id: Int32) {
        guard let isTooLarge = streams[id]?.request.isTooLarge, !isTooLarge else { return }
        let own = (streams[id]?.request.body.count ?? 0) + bytes.count
        let total = streams.values.reduce(bytes.count) { $0 + $1.request.body.count }
        if own > limits.bodyBytes || total > limits.totalBytes {
            streams[id]?.request.isTooLarge = true
            streams[id]?.request.body = []
        } else {
            streams[id]?.request.body += bytes
        }
    }

    private func ended(_ id: Int32) {
        guard let request = streams[id]?.request else { return }
        requests.append(request)
        streams[id]?.request.body = []
    }

    private func write(_ id: Int32, to buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
        guard let stream = streams[id] else { return Int(CHTTP2_ENDS) }
        if !stream.output.isEmpty {
            let count = min(buffer.count, stream.output.count)
            _ = buffer.update(fromContentsOf: stream.output.prefix(count))
            streams[id]?.output.removeFirst(count)
            return count
        }
        guard let trailer = stream.trailer else { return Int(CHTTP2_WAITS) }
        if let state, !Self.withFields(trailer, { chttp2_trailer(state, id, $0, $1) }) { streams[id]?.trailer = [] }
        return Int(CHTTP2_ENDS)
    }

    private static func withFields<Result>(_ fields: [Field], _ body: (UnsafePointer<chttp2_field>, Int) -> Result) -> Result {
        let bytes = fields.flatMap { Array($0.name.utf8) + Array($0.value.utf8) }
        // At least one, because an array without elements has no address.
        return (bytes + [0]).withUnsafeBufferPointer { buffer in
            var place = buffer.baseAddress
            var list: [chttp2_field] = []
            for field in fields {
                guard let name = place else { break }
                let (nameSize, valueSize) = (field.name.utf8.count, field.value.utf8.count)
                list.append(chttp2_field(name: name, value: name + nameSize, name_size: nameSize, value_size: valueSize, flags: 0))
                place = name + nameSize + valueSize
            }
            return body(list, list.count)
        }
    }
}

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
