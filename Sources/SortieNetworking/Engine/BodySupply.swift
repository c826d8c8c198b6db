internal import CCurl
internal import Glibc
internal import SortieHTTP

/// The request body of one attempt: its sources, the upload rate, and the number of bytes that arrived at the peer.
///
/// Used on the engine's thread only.
final class BodySupply {
    /// Why no bytes are supplied at the moment.
    enum Pause {
        /// A pipe has no data yet.
        case input(SentFile)
        /// The program has not produced the next bytes yet.
        case producer(RequestBodyStream)
        /// The upload rate limit is used up until this time (monotonic nanoseconds).
        case rate(until: UInt64)
    }

    /// The complete body; nil where libcurl assembles it from parts, or where there is no body.
    let whole: BodySource?
    /// The files among the parts of a multipart body, in order.
    let parts: [BodySource]
    /// Bytes of the body that the peer acknowledged.
    ///
    /// The kernel's send buffer may hold megabytes that never arrive.
    private(set) var sent: Int64 = 0
    /// Bytes of the body that the kernel accepted.
    private(set) var written: Int64 = 0
    /// The length of the body in bytes; nil when unknown.
    private(set) var total: Int64?
    /// Why the last call supplied nothing.
    var pause: Pause?
    /// Bytes of chunk framing on the wire, which libcurl includes in its count.
    private var framing: Int64 = 0
    private let rate: Int64?
    /// Nil without a rate.
    private let limiter: RateLimiter?
    private var nextAt: UInt64?

    /// The supply of a request without a body, which has no state and is therefore shared.
    @Engine static let none = BodySupply()

    private init() { (whole, parts, rate, limiter) = (nil, [], nil, nil) }

    /// Opens all sources of the body before anything is sent.
    init(_ request: TransferRequest) throws(NetworkError) {
        var parts: [BodySource] = []
        switch request.body {
        case .none: whole = nil
        case .bytes(let bytes, _): whole = BodySource(bytes: bytes)
        case .file(let path, _):
            whole =
                if let stream = request.files.stream(at: path) { try BodySource(stream: stream) } else {
                    try BodySource(file: request.files.file(at: path))
                }
        case .multipart(let all):
            whole = nil
            for part in all {
                if case .file(let path) = part.content { parts.append(try BodySource(file: request.files.file(at: path))) }
            }
        }
        self.parts = parts
        total = whole?.count
        rate = request.options.maximumUploadRate
        limiter = rate.map { RateLimiter(limit: $0) }
    }

    /// Copies the next bytes of `source` into libcurl's buffer and returns their number, or one of libcurl's codes
    /// for pausing and aborting.
    func give(_ buffer: UnsafeMutableRawBufferPointer, of source: BodySource) throws(NetworkError) -> Int {
        var room = buffer
        if let rate {
            if let nextAt, nextAt > MonotonicClock.now {
                pause = .rate(until: nextAt)
                return Int(CURL_READFUNC_PAUSE)
            }
            // At most a tenth of a second's worth at once, so that the rate is even.
            room = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(max(1, Int(clamping: rate / 10))))
        }
        switch source.read(into: room) {
        case .bytes(let got):
            nextAt = limiter?.take(got, now: MonotonicClock.now)
            // Each chunk adds its length in hexadecimal and two line breaks.
            if whole != nil, total == nil { framing += Int64(String(got, radix: 16).utf8.count + 4) }
            return got
        case .end:
            return 0
        case .later:
            pause = source.pipe.map { .input($0) } ?? source.stream.map { .producer($0) }
            return Int(CURL_READFUNC_PAUSE)
        case .failed(let error):
            throw error
        }
    }

    /// Rewinds or seeks a source.
    ///
    /// Returns false where that is not possible.
    func seek(_ source: BodySource, to offset: Int64) -> Bool {
        guard source.seek(to: offset) else { return false }
        if offset == 0 {
            framing = 0
            sent = 0
            written = 0
        }
        return true
    }

    /// Records how many bytes libcurl passed to the kernel; returns whether the number changed.
    func note(written wire: Int64, of wireTotal: Int64) -> Bool {
        if whole == nil { total = wireTotal > 0 ? wireTotal : total }
        var bytes = wire
        if let whole, whole.count == nil { bytes = max(0, min(wire - framing, whole.offset)) }
        guard bytes != written else { return false }
        written = bytes
        return true
    }

    /// Records how many of the written bytes the peer has not acknowledged; returns whether more arrived since the
    /// last call.
    func note(unacknowledged: Int64) -> Bool {
        let arrived = written - min(unacknowledged, written)
        guard arrived > sent else { return false }
        sent = arrived
        return true
    }
}

/// A file among the parts of a multipart body, as the context of libcurl's callbacks.
final class BodyPart {
    /// The sink owns this object and so outlives it.
    unowned let sink: TransferSink
    let source: BodySource

    init(sink: TransferSink, source: BodySource) {
        (self.sink, self.source) = (sink, source)
    }
}
