internal import Model

extension DownloadJob {
    /// For how long the first connection waits where others have all that is missing.
    private static let rest: UInt64 = 1_000_000_000

    /// Asks until all bytes are here.
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
            // The other connections were interrupted, too.
            if isInterrupted { await crew.stop() }
            // What came is made safe before anything else is decided.
            if !crew.isAtWork { try await keep() }
            try obeyFinalWish()
            if let seen = body?.seen { try noteReplacement(seen) }
            // The rest is asked for after the pause, or at once where the pause is over already.
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
                try await retry(exchange.error ?? NetworkError(.emptyResponse, "the server did not answer"), after: nil)
            }
        }
    }

    /// Ends the other connections, and takes over what they did.
    private mutating func leaveCrew() async {
        await crew?.stop()
        let attempts = crew?.takeAttempts() ?? []
        exchange.attempts += attempts
        writer?.note { $0.attempts += attempts.count }
    }

    /// What is missing of a stretch.
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

    /// One question and its answer; what came of it is in `exchange` and in the body that is returned, nil when no connection was made.
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
        // It may have been stopped in the queue.
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

    /// The request of an attempt: nothing on the way may change what its bytes are (§5.3).
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
        // Sent again as it is, it would ask for bytes that came in the meantime; the job asks anew for what is missing.
        request.options.retry?.limit = 0
        // A total limits the download as a whole: its clock runs in the job.
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

    /// Makes safe what an attempt brought.
    private func keep() async throws(Stop) {
        // What is whole is made safe when it gets its name.
        guard let writer, writer.hasUnsafeBytes, !writer.isComplete, writer.objection == nil else { return }
        let failure = writer.failure
        do throws(NetworkError) { try await writer.save(givesUpBytes: true) } catch {
            // It is found out now that the part was cut: what is here is not needed any more.
            guard writer.objection == nil else { return }
            throw .failed(failure ?? error, keepsPart: true)
        }
        if let failure, failure.code == .storage { throw .failed(failure, keepsPart: true) }
    }

    /// Why what came cannot be used.
    private func problem(with body: DownloadBody?) -> RestartReason? {
        if let objection = writer?.objection { return objection }
        return body?.isTooLong == true ? .tooLong : nil
    }

    // MARK: After an answer

    /// Counts that the answer brings the whole file anew.
    private mutating func noteReplacement(_ seen: DownloadBody.Seen) throws(Stop) {
        guard case .replace(_, let reason) = seen.answer else { return }
        if let reason { try countRestart(reason) }
        resumedAt = 0
    }

    /// Does what the answer asks for; returns whether bytes are still missing.
    private mutating func follow(_ seen: DownloadBody.Seen, _ question: ResumeQuestion) async throws(Stop) -> Bool {
        hasMetServer = true
        switch seen.answer {
        case .append(let first, _, _):
            if first < question.committed { reporter.decided(.body, "bytes from \(first) on came again and were compared") }
            return try await received(seen)
        case .replace: return try await received(seen)
        case .startOver(let reason):
            if let crew, let writer, !writer.progress.segments.isEmpty {
                // Perhaps it is only that several ask.
                crew.collapse(reason.text)
                await crew.stop()
                // Also where nobody else asked, because an earlier program left the stretches: the same answer next time begins again.
                writer.collapse()
                return true
            }
            if reason.blamesRanges { writer?.note { $0.ignoresRanges = true } }
            try await restart(reason)
        case .askWithoutCondition:
            reporter.decided(.body, "asks once without If-Range: the server sends the whole file because of it")
            (mayAskAgain, asksWithoutCondition) = (false, true)
        case .complete:
            reporter.decided(.body, "nothing is missing, as the server says")
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

    /// Bytes came: all of them, or not yet.
    private mutating func received(_ seen: DownloadBody.Seen) async throws(Stop) -> Bool {
        guard let writer else { return false }
        if let error = exchange.error {
            try await retry(error, after: nil)
            return true
        }
        guard let total = writer.manifest.total else {
            // A part says nothing of where the file ends: the rest is asked for until the server has none.
            if seen.status == 206, case .append(_, .some, nil) = seen.answer { return true }
            // The end of the body is the end of the file; only the end of a chunked one is told apart from a connection that broke.
            isLengthUnverified = !seen.headers.contains("Transfer-Encoding")
            writer.setTotal(writer.received)
            return false
        }
        return writer.received < total
    }
}
