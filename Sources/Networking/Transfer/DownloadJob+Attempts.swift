internal import Model

extension DownloadJob {
    /// Asks until all bytes are here.
    mutating func load() async throws(Stop) {
        while let question = nextQuestion() {
            try await obey()
            reporter.move(to: .requesting(offset: question.offset ?? 0))
            let body = await attempt(question)
            // What came is made safe before anything else is decided.
            try await keep()
            guard control.wish == .run else { continue }
            if exchange.error?.code == .cancelled { throw .cancelled(keepsPart: true) }
            if let reason = problem(with: body) {
                try await restart(reason)
            } else if let failure = writer?.failure {
                throw .failed(failure, keepsPart: true)
            } else if let seen = body?.seen {
                guard try await follow(seen) else { return }
            } else {
                try await retry(exchange.error ?? NetworkError(.emptyResponse, "the server did not answer"), after: nil)
            }
        }
    }

    /// What is missing; nil when nothing is.
    private func nextQuestion() -> ResumeQuestion? {
        guard let writer else { return nil }
        let (manifest, written) = (writer.manifest, writer.written)
        if let total = manifest.total, written >= total, written > 0 { return nil }
        guard written > 0, manifest.isResumable, !manifest.ignoresRanges else { return .whole }
        return .rest(committed: written, total: manifest.total, validator: manifest.validator, isConditional: !asksWithoutCondition)
    }

    /// One question and its answer; what came of it is in `exchange` and in the body that is returned, nil when no connection was made.
    private mutating func attempt(_ question: ResumeQuestion) async -> DownloadBody? {
        guard let writer, let place else { return nil }
        let box = Latest<DownloadBody>()
        let (mayAskAgain, mayRestart, limiters, reporter) = (mayAskAgain, restarts < Download.mostRestarts, limiters, reporter)
        let call = core.register(
            id, request(for: question),
            makeSink: { url in
                let body = DownloadBody(
                    question: question, mayAskAgain: mayAskAgain, mayRestart: mayRestart, writer: writer, limiters: limiters
                ) { seen in
                    switch seen.answer {
                    case .replace(_, let reason?): if mayRestart { reporter.move(to: .restarting(reason)) } else { return }
                    case .append, .replace: break
                    default: return
                    }
                    reporter.move(to: .receiving)
                } onReplace: { headers, manifest in
                    manifest.finalURL = DownloadManifest.shown(url)
                    // Where nobody chose it, the name is the one that the server gives.
                    if !place.isChosen { manifest.destination = place.path(DownloadName.name(headers: headers, url: url)) }
                }
                box.value = body
                return body
            },
            observer: { signal in
                if case .event(.decided(let decision)) = signal { reporter.decided(decision) }
            })
        let ticker = Task {
            while !Task.isCancelled {
                do { try await Task.sleep(for: .milliseconds(100)) } catch { return }
                guard let body = box.value, reporter.current == .receiving else { continue }
                body.flushIfOld()
                reporter.progressed(body.reached, of: writer.manifest.total)
            }
        }
        let core = core
        let outcome = await control.run(interrupt: { call.abort(.cancelledByCaller) }) { await core.run(call) }
        ticker.cancel()
        if reporter.current == .receiving { reporter.progressed(writer.written, of: writer.manifest.total) }
        note(outcome)
        writer.note { [attempts = outcome.attempts.count] in $0.attempts += attempts }
        return box.value
    }

    /// The request of an attempt: nothing on the way may change what its bytes are (§5.3).
    private func request(for question: ResumeQuestion) -> Request {
        var request = download.request
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
        return request
    }

    private mutating func note(_ outcome: Exchange) {
        let attempts = exchange.attempts + outcome.attempts
        exchange = outcome
        exchange.attempts = attempts
    }

    /// Makes safe what an attempt brought.
    private func keep() async throws(Stop) {
        // What is whole is made safe when it gets its name.
        guard let writer, writer.written > writer.manifest.committed, writer.written != writer.manifest.total else { return }
        let failure = writer.failure
        try await disk { writer throws(NetworkError) in try await writer.save() }
        if let failure, !writer.differs, failure.code == .storage { throw .failed(failure, keepsPart: true) }
    }

    /// Why what came cannot be used.
    private func problem(with body: DownloadBody?) -> RestartReason? {
        if writer?.differs == true { return .overlapDiffers }
        return body?.isTooLong == true ? .tooLong : nil
    }

    // MARK: After an answer

    /// Does what the answer asks for; returns whether bytes are still missing.
    private mutating func follow(_ seen: DownloadBody.Seen) async throws(Stop) -> Bool {
        hasMetServer = true
        switch seen.answer {
        case .append(let first, _, _):
            if first < (writer?.written ?? 0) { reporter.decided(.body, "bytes from \(first) on came again and were compared") }
            return try await received(seen)
        case .replace(_, let reason):
            if let reason { try countRestart(reason) }
            resumedAt = 0
            return try await received(seen)
        case .startOver(let reason):
            if reason.blamesRanges { writer?.note { $0.ignoresRanges = true } }
            try await restart(reason)
        case .askWithoutCondition:
            reporter.decided(.body, "asks once without If-Range: the server sends the whole file because of it")
            (mayAskAgain, asksWithoutCondition) = (false, true)
        case .complete:
            reporter.decided(.body, "nothing is missing, as the server says")
            writer?.note { $0.total = $0.committed }
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
        let written = writer.written
        guard let total = writer.manifest.total else {
            // The end of the body is the end of the file; only the end of a chunked one is told apart from a connection that broke.
            isLengthUnverified = !seen.headers.contains("Transfer-Encoding")
            writer.note { $0.total = written }
            return false
        }
        return written < total
    }

    // MARK: Trying again

    /// Waits before another attempt, where one is allowed.
    private mutating func retry(_ error: NetworkError, after wanted: Double?) async throws(Stop) {
        let manifest = writer?.manifest
        let written = writer?.written ?? 0
        guard error.mayPass(hasMetServer: hasMetServer || written > 0) else { throw .failed(error, keepsPart: true) }
        // What was brought since the last failure makes it a new one: a megabyte, or a hundredth of a small file.
        let progress = written - reachedAtFailure
        if progress >= min(1 << 20, max(1, (manifest?.total ?? .max) / 100)) { failures = 0 }
        reachedAtFailure = written
        failures += 1
        guard failures <= download.retryLimit else { throw .failed(error, keepsPart: true) }
        let pause = max(wanted ?? 0, Self.pause(failures: failures, first: download.retryPause))
        guard pause <= 3600 else { throw .failed(error, keepsPart: true) }
        if written > 0, let manifest, manifest.validator == .none || !manifest.isResumable, !download.allowsUnvalidated {
            try await restart(manifest.isResumable ? .noValidator : .encoded)
        }
        reporter.decided(.retry, "again in \(Int(pause.rounded(.up))) s, because \(error.message)")
        reporter.move(to: .waiting(seconds: pause, because: error.code.rawValue))
        let watch = Reachability.system.observe { [control] _ in control.wake() }
        await control.wait(while: .run, until: MonotonicClock.now &+ UInt64(pause * 1e9))
        Reachability.system.end(watch)
    }

    private static func pause(failures: Int, first: Duration) -> Double {
        let doubled = first * (1 << min(failures - 1, 10))
        return Double(min(doubled, Download.longestPause).nanoseconds) / 1e9
    }
}

extension RestartReason {
    /// Whether the server is better not asked for a part again.
    fileprivate var blamesRanges: Bool {
        switch self {
        case .badRange, .encoded, .laterStart, .conditionRefused, .unsatisfiable: true
        default: false
        }
    }
}

extension NetworkError {
    fileprivate static func status(_ status: Int) -> NetworkError {
        NetworkError(.status, "the server answered \(status)")
    }

    /// Whether the same may go better later.
    ///
    /// - Parameter hasMetServer: whether the server was there before, so that its name and its port are right.
    fileprivate func mayPass(hasMetServer: Bool) -> Bool {
        switch code {
        case .hostNotFound, .connectionRefused, .cannotConnect, .proxyFailed: hasMetServer
        case .offline, .timedOut, .connectionLost, .emptyResponse, .badResponse, .truncatedBody, .tlsFailed, .status: true
        default: false
        }
    }
}
