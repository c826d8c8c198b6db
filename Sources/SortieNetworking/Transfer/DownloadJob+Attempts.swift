internal import SortieHTTP

extension DownloadJob {
    /// How long the first connection waits, in nanoseconds, while other connections fetch everything that is missing.
    private static let rest: UInt64 = 1_000_000_000

    /// Sends requests until all bytes have arrived.
    mutating func load() async throws(Stop) {
        do throws(Stop) { try await loadAll() } catch {
            await stopWorkers()
            throw error
        }
        await stopWorkers()
        if let coding { note("the server encoded the file with \(coding) although the request excluded that; it is saved as received") }
    }

    private mutating func loadAll() async throws(Stop) {
        while let writer, let workers, !writer.isComplete {
            if control.command != .run {
                await workers.stop()
                try await keep()
            }
            try await obey()
            // A connection that ends after this claim ends the wait.
            control.prepareWait()
            guard let (segment, manifest) = writer.claim(sharing: workers.isAtWork) else {
                if writer.objection == nil, let failure = writer.failure { throw .failed(failure, keepsPart: true) }
                await control.wait(while: .run, until: MonotonicClock.now &+ Self.rest)
                continue
            }
            let first = SegmentWorker.FirstConnection(
                mayRestart: restarts < Download.mostRestarts, mayAskAgain: mayAskAgain, asksWithoutCondition: asksWithoutCondition)
            let range = workers.first.range(for: segment, manifest, first)
            // The bytes before the missing ones are only compared.
            let offset = range.offset == nil ? 0 : range.committed
            if !workers.isAtWork { reporter.move(to: .requesting(offset: offset)) }
            let fetch = workers.first.begin(segment.id, range, first, observer: observer(offset: offset))
            let isInterrupted = await run(fetch)
            let body = fetch.body
            writer.release(segment.id)
            // An interruption applies to the other connections, too.
            if isInterrupted { await workers.stop() }
            // The bytes of the attempt are saved before the next decision.
            if !workers.isAtWork { try await keep() }
            try obeyFinalCommand()
            if let seen = body?.seen { try noteReplacement(seen) }
            // The rest is requested after the pause, or at once where the pause is already over.
            if isInterrupted, exchange.error != nil { continue }
            if let reason = problem(with: body) {
                if reason == .overlapDiffers, await distrustRanges(body?.seen) { continue }
                try await restart(reason)
            } else if let failure = writer.failure {
                throw .failed(failure, keepsPart: true)
            } else if body?.hasEnough == true || writer.isComplete || !writer.has(segment.id) {
                continue
            } else if exchange.error?.code == .cancelled {
                throw .cancelled(keepsPart: true)
            } else if let seen = body?.seen {
                guard try await follow(seen, range) else { return }
            } else {
                try await retry(exchange.error ?? NetworkError(.emptyResponse, "the server sent no response"), after: nil)
            }
        }
    }

    /// Stops the other connections and records their attempts.
    private mutating func stopWorkers() async {
        await workers?.stop()
        let attempts = workers?.takeAttempts() ?? []
        // The last attempt stays the one to which the response of the exchange belongs.
        exchange.attempts.insert(contentsOf: attempts, at: max(0, exchange.attempts.count - 1))
        writer?.note { $0.attempts += attempts.count }
    }

    /// Runs a request of the first connection, whose outcome is in `exchange` afterwards; returns whether a command interrupted it.
    private mutating func run(_ fetch: SegmentWorker.Fetch) async -> Bool {
        lead.value = fetch
        let (outcome, isInterrupted) = await control.run { [workers] in
            fetch.abort()
            workers?.cancel()
        } _: {
            await fetch.run()
        }
        lead.value = nil
        note(outcome)
        writer?.note { [attempts = outcome.attempts.count] in $0.attempts += attempts }
        return isInterrupted
    }

    /// Reports what happens to a request before its response.
    private func observer(offset: Int64) -> @Sendable (CallSignal) -> Void {
        { [workers, reporter, control] signal in
            switch signal {
            case .event(.decided(let decision)): reporter.decided(decision)
            case .event(.changed(.sending)):
                if case .queued = control.current { reporter.moveWherePossible(to: .requesting(offset: offset)) }
            case .event(.changed(.queued(let reason))) where workers?.isAtWork != true:
                reporter.moveWherePossible(to: .queued(because: reason))
            default: break
            }
        }
    }

    private mutating func note(_ outcome: Exchange) {
        let before = exchange
        exchange = outcome
        exchange.attempts = before.attempts + outcome.attempts
        exchange.startedAt = before.startedAt
        exchange.otherQueued += before.otherQueued
        exchange.notices = before.notices + outcome.notices.filter { !before.notices.contains($0) }
    }

    private mutating func note(_ notice: String) {
        if !exchange.notices.contains(notice) { exchange.notices.append(notice) }
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

    /// Requests the whole file from now on, after a range contradicted the part; returns false when ranges were not the cause.
    ///
    /// The range or the part may be wrong, although both have the same strong entity tag. The part is kept, and compared with the whole file.
    private func distrustRanges(_ seen: DownloadBody.Seen?) async -> Bool {
        guard let writer else { return false }
        let manifest = writer.manifest
        guard manifest.validator.isStrong, !manifest.ignoresRanges else { return false }
        // The contradicting bytes were those of the whole file.
        if let seen, seen.status != 206, case .append = seen.answer { return false }
        reporter.decided(.body, "bytes that were received twice differ: requests the whole file, and compares it with what was received")
        await workers?.stop()
        writer.distrustRanges()
        return true
    }

    // MARK: After a response

    /// Counts a restart when the response carries the whole file instead of a range.
    private mutating func noteReplacement(_ seen: DownloadBody.Seen) throws(Stop) {
        guard case .replace(_, let reason) = seen.answer else { return }
        coding = seen.headers["Content-Encoding"].flatMap { ["", "identity"].contains($0.lowercased()) ? nil : $0 }
        if let reason { try countRestart(reason) }
        resumedAt = 0
    }

    /// Acts on the decision about the response; returns whether bytes are still missing.
    private mutating func follow(_ seen: DownloadBody.Seen, _ range: RangeRequest) async throws(Stop) -> Bool {
        hasMetServer = true
        switch seen.answer {
        case .append(let first, _, _):
            if first < range.committed { reporter.decided(.body, "bytes from \(first) on were received again and compared") }
            return try await received(seen)
        case .replace: return try await received(seen)
        case .startOver(let reason):
            if let workers, let writer, !writer.progress.segments.isEmpty {
                // The server may only reject parallel requests.
                workers.collapse(reason.text)
                await workers.stop()
                // Also without other connections, when an earlier run left the segments: the same response to the next request restarts the download.
                writer.collapse()
                return true
            }
            if reason.blamesRanges { writer?.note { $0.ignoresRanges = true } }
            try await restart(reason)
        case .askWithoutCondition:
            reporter.decided(.body, "requests the range once without If-Range, because of which the server sends the whole file")
            (mayAskAgain, asksWithoutCondition) = (false, true)
        case .otherType(let type):
            throw .failed(NetworkError(.badResponse, "the server sent \(type) instead of the file", remedy: .otherType), keepsPart: true)
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
        if case .append(_, _, let total?) = seen.answer { writer.setTotal(total) }
        guard let total = writer.manifest.total else {
            // A partial response need not contain the length of the file: the rest is requested until the server has none.
            if seen.status == 206, case .append(_, .some, nil) = seen.answer { return true }
            // The end of the body is the end of the file. In HTTP/1, only chunked coding distinguishes that end from a broken connection.
            let endsWithConnection = exchange.response?.httpVersion.hasPrefix("1") != false
            isLengthUnverified = endsWithConnection && !seen.headers.contains("Transfer-Encoding")
            if isLengthUnverified { note("the server sent no length, so it is unknown whether the file is complete") }
            writer.setTotal(writer.received)
            return false
        }
        return writer.received < total
    }
}

extension DownloadJob {
    /// Compares the digest, where an expected one is known; returns false when the download restarts.
    mutating func verify() async throws(Stop) -> Bool {
        try await obey()
        guard let writer else { return true }
        reporter.move(to: .verifying)
        if let damage = writer.part.damage {
            guard damage == .cut else { throw .failed(writer.part.error(of: damage), keepsPart: false) }
            try await restart(.damagedPart)
            return false
        }
        let manifest = writer.manifest
        let expected = download.expectedDigest ?? manifest.expectedDigest.flatMap { FileDigest(hexadecimal: $0) }
        guard expected != nil || download.wantsDigest else { return true }
        let found: String
        do throws(NetworkError) { found = try await writer.finalDigest() } catch { throw .failed(error, keepsPart: true) }
        digest = FileDigest(hexadecimal: found)
        guard let expected, expected.hexadecimal != found else { return true }
        // The bytes of a single response are what the server sent; only a file assembled from several responses may differ after another try.
        if resumedAt > 0 || exchange.attempts.count > 1, !redoneForDigest, restarts < Download.mostRestarts {
            redoneForDigest = true
            digest = nil
            try await restart(.digest)
            return false
        }
        let source = download.expectedDigest == nil ? "the server announced" : "was requested"
        throw .failed(
            NetworkError(
                .digestMismatch, "the file has the SHA-256 \(found), \(expected.hexadecimal) \(source)", hint: "the downloaded bytes were removed"),
            keepsPart: false)
    }

    /// Renames the part to its final name, in an order that keeps the file whole after a crash at any point (`ResumeRules.md` 5.5).
    mutating func finalise() async throws(Stop) {
        guard let place, let writer else { return }
        guard reporter.move(to: .finalising) else {
            try await obey()
            return try await finalise()
        }
        do throws(NetworkError) {
            try await finalise(writer, place)
        } catch {
            throw .failed(error, keepsPart: true)
        }
    }

    /// The policy for a name that is already taken.
    func collision(at place: DownloadPlace) -> Download.Collision {
        download.collision ?? (place.isChosen ? .replace : .keepBoth)
    }

    private func finalise(_ writer: DownloadWriter, _ place: DownloadPlace) async throws(NetworkError) {
        let file = ManifestFile(path: place.manifest, probe: probe)
        writer.note { $0.stage = .finalising }
        try await writer.save()
        let manifest = writer.manifest
        if let modified = manifest.lastModified.flatMap({ HTTPDate($0) }) { writer.part.setModified(modified) }
        try writer.part.syncAll()
        guard let wanted = place.name(in: manifest) else { throw PartFile.leadsElsewhere(manifest.destination) }
        if let destination { return try await move(writer, to: chosen(destination, place.path(wanted)), at: place, file) }
        // A number that an earlier run added to the name is not numbered again.
        let base = place.isChosen ? place.name : wanted
        var target = place.path(wanted)
        var number = 0
        while try !writer.part.rename(to: target, replaces: collision(at: place) == .replace) {
            guard collision(at: place) == .keepBoth, number < DownloadPlace.mostNumbers else {
                throw NetworkError(
                    .storage, "\(target) already exists",
                    remedy: .lateFile)
            }
            number += 1
            target = place.path(DownloadName.numbered(base, number))
            // The name is noted before the rename, so that the next run finds the right file after a crash between them.
            writer.note { [target] in $0.destination = target }
            try await writer.save()
        }
        try file.syncFolder()
        try file.remove()
    }

    // MARK: A destination that depends on the response

    private func chosen(_ destination: DownloadDestination, _ location: String) throws(NetworkError) -> String {
        do {
            let path = FilePath.joining(FilePath.folder(of: location), try destination(location, exchange.response?.head))
            guard FilePath.isName(FilePath.name(of: path)) else {
                throw NetworkError(.storage, "“\(path)” cannot be the path of a file", hint: "return the path of a file")
            }
            return path
        } catch let error as NetworkError { throw error } catch {
            throw NetworkError(.storage, "the destination of the download could not be determined: \(error.wordsInMessage)", cause: error)
        }
    }

    /// Moves the part to a path that the program chose.
    ///
    /// The manifest never contains this path, because a manifest is trusted only for names in its folder. After a crash between the rename and the
    /// removal of the manifest, the next run therefore downloads the file again.
    private func move(_ writer: DownloadWriter, to path: String, at place: DownloadPlace, _ manifest: ManifestFile) async throws(NetworkError) {
        let collision = download.collision ?? .keepBoth
        let folder = FilePath.folder(of: path)
        var target = path
        var number = 0
        while try !writer.part.rename(to: target, replaces: collision == .replace, leavesFolder: true) {
            guard collision == .keepBoth, number < DownloadPlace.mostNumbers else {
                throw NetworkError(
                    .storage, "\(target) already exists", hint: "the partial file is kept; replace or keep both, or choose another path")
            }
            number += 1
            target = FilePath.joining(folder, DownloadName.numbered(FilePath.name(of: path), number))
        }
        writer.note { [target] in $0.destination = target }
        try ManifestFile(path: target, probe: probe).syncFolder()
        try manifest.syncFolder()
        try manifest.remove()
    }
}
