internal import SortieHTTP

extension DownloadJob {
    /// Waits before the next attempt.
    ///
    /// - Throws: The failure when the error is permanent, the retry limit is reached, or the wait would exceed an hour.
    mutating func retry(_ error: NetworkError, after wanted: Double?) async throws(Stop) {
        let manifest = writer?.manifest
        let received = writer?.received ?? 0
        guard error.mayPass(hasMetServer: hasMetServer || received > 0) else { throw .failed(error, keepsPart: true) }
        // Progress since the last failure resets the count: a megabyte, or a hundredth of a small file. A file that is sent from its first byte
        // again makes no progress until it exceeds the previous maximum.
        let progress = received - furthest
        if progress >= min(1 << 20, max(1, (manifest?.total ?? .max) / 100)) { failures = 0 }
        furthest = max(furthest, received)
        failures += 1
        guard failures <= download.retryLimit else { throw .failed(error, keepsPart: true) }
        let pause = max(wanted ?? 0, Self.pause(failures: failures, first: download.retryPause))
        guard pause <= 3600 else { throw .failed(error, keepsPart: true) }
        if received > 0, let manifest, manifest.validator == .none || !manifest.isResumable, !download.allowsUnvalidated {
            try await restart(manifest.isResumable ? .noValidator : .encoded)
        }
        reporter.decided(.retry, "retrying in \(Int(pause.rounded(.up))) s, because \(error.message)")
        control.prepareWait()
        // The state stays unchanged while other connections receive bytes.
        if workers?.isAtWork != true { reporter.move(to: .waiting(seconds: pause, because: error.code.rawValue)) }
        let cameOnline = LockedValue<Bool>()
        let watch = reachability.observe { [control] change in
            guard change.cameOnline else { return }
            cameOnline.value = true
            control.wake()
        }
        await control.wait(while: .run, until: MonotonicClock.now &+ UInt64(pause * 1e9))
        reachability.end(watch)
        // A failure without a network does not count against the server.
        if cameOnline.value == true { failures -= 1 }
    }

    static func pause(failures: Int, first: Duration) -> Double {
        let doubled = first * (1 << min(failures - 1, 10))
        return Double(min(doubled, Download.longestPause).nanoseconds) / 1e9
    }
}

extension RestartReason {
    /// The remedy when this reason keeps a download from completing.
    var remedy: NetworkError.Remedy {
        switch self {
        case .rangesIgnored, .encoded, .noValidator:
            .text("the connection is lost before the file is complete, and this server cannot send only the rest")
        case .damagedPart: .sharedPart
        default: .text("the server sends a different file each time")
        }
    }

    /// Whether further requests should omit `Range`.
    var blamesRanges: Bool {
        switch self {
        case .badRange, .encoded, .laterStart, .conditionRefused, .unsatisfiable: true
        default: false
        }
    }
}

extension NetworkError {
    static func status(_ status: Int) -> NetworkError {
        NetworkError(.status, "the server responded with \(status)")
    }

    /// The remedy where a later run starts from the first byte.
    var remedyOfRestart: Remedy? {
        switch (remedy, code) {
        case (.downloadTimeout, _): .totalTimeout
        case (.diskSpace, _): .text("free some space and start the download again")
        case (_, .connectionLost), (_, .emptyResponse), (_, .truncatedBody): RestartReason.rangesIgnored.remedy
        default: remedy
        }
    }

    /// Whether a later attempt may succeed.
    ///
    /// - Parameter hasMetServer: Whether the server responded before, so that its name and port are known to be correct.
    fileprivate func mayPass(hasMetServer: Bool) -> Bool {
        switch code {
        case .hostNotFound, .connectionRefused, .cannotConnect, .proxyFailed: hasMetServer
        case .offline, .timedOut, .connectionLost, .emptyResponse, .badResponse, .truncatedBody, .tlsFailed, .status: true
        default: false
        }
    }
}
