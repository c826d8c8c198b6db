internal import BodyViews
internal import SortieHTTP

/// Changes of a call by its events.
extension Call {
    /// Applies an event, apart from the growth of the body.
    mutating func receive(_ event: CallEvent) {
        switch event {
        case .decided(let decision): note(decision)
        case .responded(let response): self.response = response
        case .progressed(let progress):
            self.progress = progress
            isAttempted = true
        case .logged: isAttempted = true
        case .queued(let reason): queuedBecause = reason
        case .retrying(let seconds): retriesAt = seconds > 0 ? elapsed + seconds : nil
        case .finished(let exchange): finish(exchange)
        case .signalled, .grew, .parked: break
        }
    }

    /// Adds a decision, and drops the oldest beyond the limit.
    mutating func note(_ decision: Decision) {
        decisions.append(decision)
        if decisions.count > Call.decisionLimit { decisions.removeFirst(decisions.count - Call.decisionLimit) }
    }

    mutating func finish(_ exchange: Exchange) {
        if let response = exchange.response {
            progress.received = max(progress.received, response.wireBytes)
        }
        progress.sent = max(progress.sent, exchange.sentBodyBytes)
        phase = .finished(exchange)
    }

    mutating func grow(to bytes: BodyBytes, isFinal: Bool, mode: BodyView.Mode?) {
        // A body shorter than the shown one is another body, as after a retry.
        guard var view = body, bytes.count >= view.bytes.count else {
            var view = BodyView.make(bytes: bytes, contentType: knownResponse?.contentType, isFinal: isFinal)
            if let mode { view.show(mode) }
            // Each message is one row until it is opened.
            if knownResponse?.isWebSocket == true { view.foldAll() }
            body = view
            return
        }
        view.grow(to: bytes, isFinal: isFinal)
        body = view
    }

    /// Updates the elapsed time and the rate.
    mutating func tick(_ now: Double) {
        let start = startedAt ?? now
        startedAt = start
        elapsed = max(0, now - start)
        meter.sample(isUploading ? progress.sent : progress.received, at: now)
    }
}
