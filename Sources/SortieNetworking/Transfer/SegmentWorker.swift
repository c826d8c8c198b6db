internal import SortieHTTP

/// One further connection of a download, which fetches segment after segment until nothing is missing.
struct SegmentWorker: Sendable {
    let workers: SegmentedDownload
    let setup: SegmentSetup
    /// The number of the connection, from 2; 1 is the first connection of the download.
    let number: Int

    /// The outcome of one request.
    private enum Verdict {
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
            let verdict = await fetch(segment, manifest)
            let progress = (setup.writer.position(of: segment.id) ?? segment.position) - segment.position
            setup.writer.release(segment.id)
            switch verdict {
            case .fetched: failures = 0
            case .failed(let error):
                failures = progress >= 1 << 20 ? 1 : failures + 1
                guard failures <= setup.download.retryLimit else { return tell("stops: \(error.message)") }
                tell("retries: \(error.message)")
                guard await pause(.seconds(DownloadJob.pause(failures: failures, first: setup.download.retryPause))) else { return }
            case .refused(let reason): return tell("ends: \(reason)")
            case .disagreed(let reason): return workers.collapse("connection \(number): \(reason)")
            }
        }
    }

    private func fetch(_ segment: SegmentMap.Segment, _ manifest: DownloadManifest) async -> Verdict {
        guard let total = manifest.total else { return .disagreed("the length of the file is no longer known") }
        let question = RangeRequest.rest(of: segment.stretch, total: total, validator: manifest.validator)
        // The connections are distributed over the addresses of the host, where several are given.
        var request = setup.download.request
        let addresses = request.options.addresses
        if addresses.count > 1 { request.options.firstAddress = addresses[(number - 1) % addresses.count] }
        let place = (request.options.firstAddress ?? addresses.first).map { " from \($0)" } ?? ""
        tell("fetches \(ByteCount(segment.stretch.remaining).text) at \(ByteCount(segment.position).text)\(place)")
        let fetch = RangeFetch(range: question, segment: segment.id, writer: setup.writer, limiters: setup.limiters) {
            seen, _ throws(NetworkError) in try Self.content(of: seen, question, total)
        }
        let started = fetch.start(request, id: setup.nextID(), on: setup.core)
        let outcome = await withTaskCancellationHandler {
            await setup.core.run(started.call)
        } onCancel: {
            started.call.abort(.cancelledByCaller)
        }
        workers.note(outcome.attempts)
        return verdict(outcome, started.body, question, segment, total)
    }

    private func verdict(
        _ outcome: Exchange, _ body: DownloadBody?, _ question: RangeRequest, _ segment: SegmentMap.Segment, _ total: Int64
    ) -> Verdict {
        // A response for a segment that another connection took over has no meaning.
        guard let body, body.hasEnough || setup.writer.has(segment.id) else {
            return body == nil ? .failed(outcome.error ?? NetworkError(.emptyResponse, "no connection was made")) : .fetched
        }
        if body.hasEnough || Task.isCancelled { return .fetched }
        if body.isTooLong { return .disagreed("more bytes arrived than announced") }
        guard let seen = body.seen else { return .failed(outcome.error ?? NetworkError(.emptyResponse, "the server sent no response")) }
        switch seen.answer {
        case .tryLater(let status), .refuse(let status, _): return .refused("the server responded with \(status)")
        default: break
        }
        if let objection = Self.objection(to: seen, question, total) { return .disagreed(objection) }
        if let error = outcome.error { return .failed(error) }
        return .fetched
    }

    /// The bytes of the file that the body of a response carries; nil for a response without a part of the file.
    private static func content(
        of seen: DownloadBody.Seen, _ question: RangeRequest, _ total: Int64
    ) throws(NetworkError) -> DownloadBody.Content? {
        switch seen.answer {
        case .tryLater, .refuse: return nil
        default: break
        }
        if let objection = objection(to: seen, question, total) { throw DownloadBody.notUsed(objection) }
        guard case .append(let first, let end, _) = seen.answer else { return nil }
        return DownloadBody.Content(first: first, end: end)
    }

    /// Why a response is not a part of the same file; nil when it is.
    private static func objection(to seen: DownloadBody.Seen, _ question: RangeRequest, _ total: Int64) -> String? {
        guard seen.status == 206 else {
            return (200..<300).contains(seen.status)
                ? "the server sent the whole file instead of a range" : "the server responded with \(seen.status)"
        }
        guard case .append(let first, let end, let length) = seen.answer else {
            if case .startOver(let reason) = seen.answer { return reason.text }
            return "the range is not the requested one"
        }
        guard case .strong(let tag) = question.validator, seen.headers["ETag"] == tag else { return "the range has a different ETag, or none" }
        guard length == total else { return RestartReason.changedLength.text }
        // A shorter part than requested is valid; the rest is requested again.
        guard first == question.offset, let end, end <= question.end ?? total else { return "the range is not the requested one" }
        return nil
    }

    private func tell(_ words: String) {
        setup.reporter.decided(.connection, "connection \(number) \(words)")
    }

    /// Waits; returns false when the task is cancelled.
    private func pause(_ duration: Duration) async -> Bool {
        do { try await Task.sleep(for: duration) } catch { return false }
        return true
    }
}
