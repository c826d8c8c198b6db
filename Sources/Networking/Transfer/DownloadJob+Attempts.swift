internal import Model

extension DownloadJob {
    /// How long the first connection waits, in nanoseconds, while other connections fetch everything that is missing.
    private static let rest: UInt64 = 1_000_000_000

    /// Sends requests until all bytes have arrived.
    mutating func load() async throws(Stop) {
        do throws(Stop) { try await loadAll() } catch {
            await leaveCrew()
            throw error
        }
        await leaveCrew()
    }

    private mutating func loadAll() async throws(Stop) {
        while let writer, let crew, !writer.isComplete {
            if control.wish != .run {
                await crew.stop()
                try await keep()
            }
            try await obey()
            guard let (segment, manifest) = writer.claim(sharing: crew.isAtWork) else {
                if let failure = writer.failure { throw .failed(failure, keepsPart: true) }
                await control.wait(while: .run, until: MonotonicClock.now &+ Self.rest)
                continue
            }
            let question = question(for: segment, manifest)
            if !crew.isAtWork { reporter.move(to: .requesting(offset: question.offset ?? 0)) }
            let (body, isInterrupted) = await attempt(question, segment)
            writer.release(segment.id)
            // An interruption applies to the other connections, too.
            if isInterrupted { await crew.stop() }
            // The bytes of the attempt are saved before the next decision.
            if !crew.isAtWork { try await keep() }
            try obeyFinalWish()
            if let seen = body?.seen { try noteReplacement(seen) }
            // The rest is requested after the pause, or at once where the pause is already over.
            if isInterrupted, exchange.error != nil { continue }
            if let reason = problem(with: body) {
                try await restart(reason)
            } else if let failure = writer.failure {
                throw .failed(failure, keepsPart: true)
            } else if body?.hasEnough == true || writer.isComplete || !writer.has(segment.id) {
                continue
            } else if exchange.error?.code == .cancelled {
                throw .cancelled(keepsPart: true)
            } else if let seen = body?.seen {
                guard try await follow(seen, question) else { return }
            } else {
                try await retry(exchange.error ?? NetworkError(.emptyResponse, "the server sent no response"), after: nil)
            }
        }
    }

    /// Stops the other connections and records their attempts.
    private mutating func leaveCrew() async {
        await crew?.stop()
        let attempts = crew?.takeAttempts() ?? []
        exchange.attempts += attempts
        writer?.note { $0.attempts += attempts.count }
    }

    /// The range request for the bytes that a segment lacks.
    private func question(for segment: SegmentMap.Segment, _ manifest: DownloadManifest) -> ResumeQuestion {
        guard let writer, writer.received > 0 else { return .whole }
        guard manifest.isResumable, !manifest.ignoresRanges else {
            var question = ResumeQuestion.whole(insteadOf: writer.received, total: manifest.total, validator: manifest.validator)
            (question.entityTag, question.lastModified) = (manifest.entityTag, manifest.lastModified)
            return question
        }
        var question = ResumeQuestion.rest(committed: segment.position, total: manifest.total, validator: manifest.validator)
        (question.entityTag, question.lastModified) = (manifest.entityTag, manifest.lastModified)
        if let end = segment.end, end != manifest.total { question.end = end }
        if asksWithoutCondition { question.isConditional = false }
        return question
    }

    /// Runs one attempt; its outcome is in `exchange` and in the returned body, which is nil when no connection was made.
    private mutating func attempt(
        _ question: ResumeQuestion, _ segment: SegmentMap.Segment
    ) async -> (body: DownloadBody?, isInterrupted: Bool) {
        guard let writer, let judge = judge(of: question, segment) else { return (nil, false) }
        let box = Latest<DownloadBody>()
        let (mayAskAgain, limiters, reporter) = (mayAskAgain, limiters, reporter)
        let call = core.register(
            id, Self.request(download.request, for: question),
            makeSink: { url in
                let body = DownloadBody(question: question, segment: segment.id, mayAskAgain: mayAskAgain, writer: writer, limiters: limiters) {
                    seen throws(NetworkError) in try judge.content(of: seen, from: url)
                }
                box.value = body
                return body
            },
            observer: { [limit, crew, offset = question.offset ?? 0] signal in
                switch signal {
                case .event(.decided(let decision)): reporter.decided(decision)
                case .event(.queued(because: nil)):
                    limit?.start()
                    if case .queued = reporter.current { reporter.queued(because: nil, offset: offset) }
                case .event(.queued(let reason)) where crew?.isAtWork != true:
                    limit?.stop()
                    reporter.queued(because: reason, offset: offset)
                default: break
                }
            })
        let (core, crew) = (core, crew)
        lead.value = Lead(call: call, segment: segment.id)
        let (outcome, isInterrupted) = await control.run {
            call.abort(.cancelledByCaller)
            crew?.cancel()
        } _: {
            await core.run(call)
        }
        lead.value = nil
        // The attempt may have ended while it was queued.
        limit?.start()
        note(outcome)
        writer.note { [attempts = outcome.attempts.count] in $0.attempts += attempts }
        return (box.value, isInterrupted)
    }

    private func judge(of question: ResumeQuestion, _ segment: SegmentMap.Segment) -> AnswerJudge? {
        guard let writer, let place, let crew else { return nil }
        return AnswerJudge(
            question: question, segment: segment.id, writer: writer, place: place, reporter: reporter, crew: crew,
            mayRestart: restarts < Download.mostRestarts)
    }

    /// The request of an attempt, without any option that would change the bytes of the body (`ResumeRules.md` 5.3).
    static func request(_ base: Request, for question: ResumeQuestion) -> Request {
        var request = base
        request.method = .get
        request.body = .none
        request.headers["Accept-Encoding"] = "identity"
        for name in ["Range", "If-Range", "If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since"] { request.headers[name] = nil }
        request.headers.fields += question.fields
        request.options.decompresses = false
        request.options.version = .http1
        request.options.cacheLifetime = nil
        // A retry of the same request would fetch bytes that have already arrived; the job builds a new request for the missing bytes.
        request.options.retry?.limit = 0
        // A total time limit applies to the whole download; the job measures it.
        request.options.timeouts.total = nil
        return request
    }

    private mutating func note(_ outcome: Exchange) {
        let before = exchange
        exchange = outcome
        exchange.attempts = before.attempts + outcome.attempts
        exchange.startedAt = before.startedAt
        exchange.timing.queued += before.timing.queued
        exchange.notices = before.notices + outcome.notices.filter { !before.notices.contains($0) }
    }

    /// Saves the bytes of an attempt.
    private func keep() async throws(Stop) {
        // A complete file is saved when it is renamed.
        guard let writer, writer.hasUnsafeBytes, !writer.isComplete, writer.objection == nil else { return }
        let failure = writer.failure
        do throws(NetworkError) { try await writer.save(givesUpBytes: true) } catch {
            // The save detected that another program truncated the part, so its bytes are not needed.
            guard writer.objection == nil else { return }
            throw .failed(failure ?? error, keepsPart: true)
        }
        if let failure, failure.code == .storage { throw .failed(failure, keepsPart: true) }
    }

    /// Why the received bytes cannot be used; nil when they can.
    private func problem(with body: DownloadBody?) -> RestartReason? {
        if let objection = writer?.objection { return objection }
        return body?.isTooLong == true ? .tooLong : nil
    }

    // MARK: After a response

    /// Counts a restart when the response carries the whole file instead of a range.
    private mutating func noteReplacement(_ seen: DownloadBody.Seen) throws(Stop) {
        guard case .replace(_, let reason) = seen.answer else { return }
        if let reason { try countRestart(reason) }
        resumedAt = 0
    }

    /// Acts on the decision about the response; returns whether bytes are still missing.
    private mutating func follow(_ seen: DownloadBody.Seen, _ question: ResumeQuestion) async throws(Stop) -> Bool {
        hasMetServer = true
        switch seen.answer {
        case .append(let first, _, _):
            if first < question.committed { reporter.decided(.body, "bytes from \(first) on were received again and compared") }
            return try await received(seen)
        case .replace: return try await received(seen)
        case .startOver(let reason):
            if let crew, let writer, !writer.progress.segments.isEmpty {
                // The server may only reject parallel requests.
                crew.collapse(reason.text)
                await crew.stop()
                // Also without other connections, when an earlier run left the segments: the same response to the next request restarts the download.
                writer.collapse()
                return true
            }
            if reason.blamesRanges { writer?.note { $0.ignoresRanges = true } }
            try await restart(reason)
        case .askWithoutCondition:
            reporter.decided(.body, "requests the range once without If-Range, because of which the server sends the whole file")
            (mayAskAgain, asksWithoutCondition) = (false, true)
        case .complete:
            reporter.decided(.body, "the file is complete, according to the server")
            if let writer { writer.setTotal(writer.received) }
            return false
        case .tryLater:
            let wait = RetryAfter.seconds(in: seen.headers, now: HTTPDate(seconds: SystemClock.seconds))
            try await retry(.status(seen.status), after: wait)
        case .refuse(let status, let keepsPart):
            throw .failed(exchange.error ?? .status(status), keepsPart: keepsPart)
        }
        return true
    }

    /// Handles the end of a body; returns whether bytes are still missing.
    private mutating func received(_ seen: DownloadBody.Seen) async throws(Stop) -> Bool {
        guard let writer else { return false }
        if let error = exchange.error {
            try await retry(error, after: nil)
            return true
        }
        guard let total = writer.manifest.total else {
            // A partial response need not contain the length of the file: the rest is requested until the server has none.
            if seen.status == 206, case .append(_, .some, nil) = seen.answer { return true }
            // The end of the body is the end of the file. Only chunked coding distinguishes that end from a broken connection.
            isLengthUnverified = !seen.headers.contains("Transfer-Encoding")
            writer.setTotal(writer.received)
            return false
        }
        return writer.received < total
    }
}
