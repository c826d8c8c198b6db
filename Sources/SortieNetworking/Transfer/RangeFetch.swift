internal import SortieHTTP

/// Fetches one range of a file with one request; every connection of a download does it in this way.
struct RangeFetch: Sendable {
    /// Decides from the header of a response, before any byte of its body, which bytes of the file the body carries (`ResumeRules.md` 5.4).
    ///
    /// It returns nil for a body that is not part of the file, and throws the error that ends the transfer without reading the body.
    typealias Policy = @Sendable (DownloadBody.Seen, HTTPURL) throws(NetworkError) -> DownloadBody.Content?

    let range: RangeRequest
    let segment: SegmentMap.ID
    let writer: DownloadWriter
    let limiters: [RateLimiter]
    /// Whether the range may be requested again without its condition.
    var mayAskAgain = false
    let policy: Policy

    /// The call of a fetch.
    struct Started: Sendable {
        let call: Call
        fileprivate let sink: LockedValue<DownloadBody>

        /// The body of the response; nil while no connection was made.
        var body: DownloadBody? { sink.value }
    }

    /// Registers the call that fetches the range.
    ///
    /// - Parameter base: The request of the download; its options that would change the bytes of the body are replaced.
    func start(_ base: Request, id: RequestID, on core: ClientCore, observer: (@Sendable (CallSignal) -> Void)? = nil) -> Started {
        let sink = LockedValue<DownloadBody>()
        let call = core.register(
            id, Self.request(base, for: range),
            makeSink: { [range, segment, writer, limiters, mayAskAgain, policy] url in
                let body = DownloadBody(question: range, segment: segment, mayAskAgain: mayAskAgain, writer: writer, limiters: limiters) {
                    seen throws(NetworkError) in try policy(seen, url)
                }
                sink.value = body
                return body
            }, observer: observer)
        return Started(call: call, sink: sink)
    }

    /// The request for a range, without any option that would change the bytes of the body (`ResumeRules.md` 5.3).
    static func request(_ base: Request, for range: RangeRequest) -> Request {
        var request = base
        request.method = .get
        request.body = .none
        request.headers["Accept-Encoding"] = "identity"
        for name in ["Range", "If-Range", "If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since"] { request.headers[name] = nil }
        request.headers.fields += range.fields
        request.options.decompresses = false
        request.options.version = .http1
        request.options.cacheLifetime = nil
        // A retry of the same request would fetch bytes that have already arrived; the download builds a new request for the missing bytes.
        request.options.retry?.limit = 0
        // A total time limit applies to the whole download, which measures it.
        request.options.timeouts.total = nil
        return request
    }
}
