internal import CCurl
internal import Glibc
internal import Model

/// What goes out during one attempt: the sources of the body, their pace, and how much of it arrived.
///
/// Used on the engine's thread only.
final class BodySupply {
    /// Why nothing is given at the moment.
    enum Pause {
        /// A pipe has nothing yet.
        case input(SentFile)
        /// The limit of the rate says so, until this moment, monotonic nanoseconds.
        case rate(until: UInt64)
    }

    /// The body as a whole; nil where libcurl puts it together of parts, or where there is none.
    let whole: BodySource?
    /// The files among the parts of a multipart body, in their order.
    let parts: [BodySource]
    /// Bytes of the body that the peer acknowledged: what waits in the kernel's buffer may be megabytes that never arrive.
    private(set) var sent: Int64 = 0
    /// Bytes of the body that the kernel took.
    private(set) var written: Int64 = 0
    /// All bytes of the body; nil when not known.
    private(set) var total: Int64?
    /// Why nothing was given the last time.
    var pause: Pause?
    /// Bytes that frame chunks on the wire: what libcurl counts has them in it.
    private var framing: Int64 = 0
    private let rate: Int64?
    private let limiter: RateLimiter
    private var nextAt: UInt64?

    /// Opens what `spec` sends, before anything is (S2.20).
    init(_ spec: TransferSpec) throws(NetworkError) {
        var parts: [BodySource] = []
        switch spec.body {
        case .none: whole = nil
        case .bytes(let bytes, _): whole = BodySource(bytes: bytes)
        case .file(let path, _): whole = try BodySource(file: spec.files.file(at: path))
        case .multipart(let all):
            whole = nil
            for part in all {
                if case .file(let path) = part.content { parts.append(try BodySource(file: spec.files.file(at: path))) }
            }
        }
        self.parts = parts
        total = whole?.count
        rate = spec.options.maximumUploadRate
        limiter = RateLimiter(limit: rate)
    }

    /// Gives libcurl what follows of `source`: a number of bytes, or one of its words for waiting and for giving up.
    func give(_ buffer: UnsafeMutableRawBufferPointer, of source: BodySource) throws(NetworkError) -> Int {
        var room = buffer
        if let rate {
            if let nextAt, nextAt > MonotonicClock.now {
                pause = .rate(until: nextAt)
                return Int(CURL_READFUNC_PAUSE)
            }
            // A tenth of a second's worth at a time, so that the line is used evenly.
            room = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(max(1, Int(clamping: rate / 10))))
        }
        switch source.read(into: room) {
        case .bytes(let got):
            nextAt = limiter.take(got, now: MonotonicClock.now)
            // Its length in hexadecimal, and two ends of a line.
            if whole != nil, total == nil { framing += Int64(String(got, radix: 16).utf8.count + 4) }
            return got
        case .end:
            return 0
        case .later:
            pause = source.pipe.map { .input($0) }
            return Int(CURL_READFUNC_PAUSE)
        case .failed(let error):
            throw error
        }
    }

    /// Begins a source again; false where that is not possible.
    func seek(_ source: BodySource, to offset: Int64) -> Bool {
        guard source.seek(to: offset) else { return false }
        if offset == 0 {
            framing = 0
            sent = 0
            written = 0
        }
        return true
    }

    /// Notes what libcurl gave to the kernel; returns whether that is news.
    func note(written wire: Int64, of wireTotal: Int64) -> Bool {
        if whole == nil { total = wireTotal > 0 ? wireTotal : total }
        var bytes = wire
        if let whole, whole.count == nil { bytes = max(0, min(wire - framing, whole.offset)) }
        guard bytes != written else { return false }
        written = bytes
        return true
    }

    /// Notes how many of the written bytes the peer has not acknowledged; returns whether more arrived since the last time.
    func note(unacknowledged: Int64) -> Bool {
        let arrived = written - min(unacknowledged, written)
        guard arrived > sent else { return false }
        sent = arrived
        return true
    }
}

/// A file among the parts of a multipart body, as libcurl's callbacks know it.
final class BodyPart {
    /// Owns this, so it outlives it.
    unowned let sink: TransferSink
    let source: BodySource

    init(sink: TransferSink, source: BodySource) {
        self.sink = sink
        self.source = source
    }
}
