internal import SortieHTTP

/// One connection of a download, which fetches segment after segment.
///
/// Every connection requests, checks and writes a segment in this way. Only the first one also learns the length, the validators and the name of the
/// file from its responses, and replaces the file when it has changed (``RangeResponsePolicy``).
struct SegmentWorker: Sendable {
    let workers: SegmentedDownload
    let setup: SegmentSetup
    /// The number of the connection, from 1.
    let number: Int

    /// What only the first connection may do.
    struct FirstConnection {
        /// Whether the download may start again from the first byte.
        var mayRestart: Bool
        /// Whether a range may be requested again without its condition.
        var mayAskAgain: Bool
        /// Whether ranges are requested without `If-Range`.
        var asksWithoutCondition: Bool
    }

    /// A registered request for the missing bytes of a segment.
    struct Fetch: Sendable {
        let segment: SegmentMap.ID
        let policy: RangeResponsePolicy
        fileprivate let core: ClientCore
        fileprivate let call: Call
        fileprivate let sink: LockedValue<DownloadBody>

        /// The body of the response; nil while no connection was made.
        var body: DownloadBody? { sink.value }

        /// Ends the request.
        func abort() { call.abort(.cancelledByCaller) }

        /// Sends the request and returns when its bytes have been written; a cancelled task ends it.
        func run() async -> Exchange {
            await withTaskCancellationHandler {
                await core.run(call)
            } onCancel: {
                abort()
            }
        }
    }

    // MARK: One segment

    /// The request range for the bytes that a segment lacks.
    ///
    /// - Parameter first: The first connection, which requests the whole file where it cannot request a range; nil for a further one.
    func range(for segment: SegmentMap.Segment, _ manifest: DownloadManifest, _ first: FirstConnection? = nil) -> RangeRequest {
        let received = setup.writer.received
        if first != nil, received == 0 { return .whole }
        var range =
            manifest.isResumable && !manifest.ignoresRanges
            ? RangeRequest.rest(committed: segment.position, from: segment.start, total: manifest.total, validator: manifest.validator)
            : .whole(insteadOf: received, total: manifest.total, validator: manifest.validator)
        (range.entityTag, range.lastModified, range.contentType) = (manifest.entityTag, manifest.lastModified, manifest.contentType)
        guard range.offset != nil else { return range }
        if let end = segment.end, end != manifest.total {
            // Where the segment meets bytes of an earlier attempt, some of them are compared as well.
            range.comparedAtEnd = min(RangeRequest.overlap(manifest.validator), setup.writer.count(after: segment.id))
            range.end = end + range.comparedAtEnd
        }
        if first?.asksWithoutCondition == true { range.isConditional = false }
        return range
    }

    /// Registers the request for a range of a segment.
    func begin(
        _ segment: SegmentMap.ID, _ range: RangeRequest, _ first: FirstConnection? = nil, observer: (@Sendable (CallSignal) -> Void)? = nil
    ) -> Fetch {
        let policy = RangeResponsePolicy(range: range, segment: segment, setup: setup, workers: workers, mayRestart: first?.mayRestart)
        let sink = LockedValue<DownloadBody>()
        let call = setup.core.register(
            number == 1 ? setup.id : setup.nextID(), request(for: range),
            makeSink: { [setup, mayAskAgain = first?.mayAskAgain ?? false] url in
                let body = DownloadBody(
                    rangeRequest: range, segment: segment, mayAskAgain: mayAskAgain, writer: setup.writer, limiters: setup.limiters
                ) { seen throws(NetworkError) in try policy.content(of: seen, from: url) }
                sink.value = body
                return body
            }, observer: observer)
        return Fetch(segment: segment, policy: policy, core: setup.core, call: call, sink: sink)
    }

    /// The request for a range, without any option that would change the bytes of the body (`ResumeRules.md` 5.3).
    private func request(for range: RangeRequest) -> Request {
        var request = setup.download.request
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
        request.options.firstAddress = firstAddress ?? request.options.firstAddress
        return request
    }

    /// The address of a further connection: they are distributed over the addresses of the host, where several are given.
    private var firstAddress: IPAddress? {
        let addresses = setup.download.request.options.addresses
        return number > 1 && addresses.count > 1 ? addresses[(number - 1) % addresses.count] : nil
    }

    // MARK: Further connections

    /// The outcome of one request.
    private enum FetchResult {
        /// Bytes arrived, or another connection took over the segment.
        case fetched
        case failed(NetworkError)
        /// The server gives this connection no bytes at present.
        case refused(String)
        /// The response contradicts an earlier one.
        case disagreed(String)
    }

    /// How long the connection waits before it looks for another segment.
    private static let rest = Duration.seconds(1)

    /// Fetches segments until nothing is missing, the task is cancelled, or the server refuses.
    func run() async {
        var failures = 0
        while !Task.isCancelled, setup.writer.failure == nil, workers.mayShare {
            guard let (segment, manifest) = setup.writer.claim(sharing: true) else {
                workers.rest()
                guard !setup.writer.isComplete, await pause(Self.rest) else { return }
                continue
            }
            let result = await fetch(segment, manifest)
            let progress = (setup.writer.position(of: segment.id) ?? segment.position) - segment.position
            setup.writer.release(segment.id)
            switch result {
            case .fetched: failures = 0
            case .failed(let error):
                failures = progress >= 1 << 20 ? 1 : failures + 1
                guard failures <= setup.download.retryLimit else { return report("stops: \(error.message)") }
                report("retries: \(error.message)")
                guard await pause(.seconds(DownloadJob.pause(failures: failures, first: setup.download.retryPause))) else { return }
            case .refused(let reason): return report("ends: \(reason)")
            case .disagreed(let reason): return workers.collapse("connection \(number): \(reason)")
            }
        }
    }

    private func fetch(_ segment: SegmentMap.Segment, _ manifest: DownloadManifest) async -> FetchResult {
        guard manifest.total != nil else { return .disagreed("the length of the file is no longer known") }
        let options = setup.download.request.options
        let place = (firstAddress ?? options.firstAddress ?? options.addresses.first).map { " from \($0)" } ?? ""
        report("fetches \(ByteCount(segment.stretch.remaining).text) at \(ByteCount(segment.position).text)\(place)")
        let fetch = begin(segment.id, range(for: segment, manifest))
        let outcome = await fetch.run()
        workers.note(outcome.attempts)
        return result(outcome, fetch)
    }

    private func result(_ outcome: Exchange, _ fetch: Fetch) -> FetchResult {
        // A response for a segment that another connection took over has no meaning.
        guard let body = fetch.body, body.hasEnough || setup.writer.has(fetch.segment) else {
            return fetch.body == nil ? .failed(outcome.error ?? NetworkError(.emptyResponse, "no connection was made")) : .fetched
        }
        if body.hasEnough || Task.isCancelled { return .fetched }
        if body.isTooLong { return .disagreed("more bytes arrived than announced") }
        guard let seen = body.seen else { return .failed(outcome.error ?? NetworkError(.emptyResponse, "the server sent no response")) }
        switch seen.answer {
        case .tryLater(let status), .refuse(let status, _): return .refused("the server responded with \(status)")
        default: break
        }
        if let objection = fetch.policy.objection(to: seen) { return .disagreed(objection) }
        if let error = outcome.error { return .failed(error) }
        return .fetched
    }

    private func report(_ words: String) {
        setup.reporter.decided(.connection, "connection \(number) \(words)")
    }

    /// Waits; returns false when the task is cancelled.
    private func pause(_ duration: Duration) async -> Bool {
        do { try await Task.sleep(for: duration) } catch { return false }
        return true
    }
}
