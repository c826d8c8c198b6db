import Glibc

/// Keys, the mouse, and signals.
extension Screen {
    /// After Escape alone, the rest of a sequence has so many milliseconds to arrive.
    private static let escapeDelay = 25
    /// After the beginning of a sequence; longer, because only a slow line takes one apart, and it must not turn into text.
    private static let sequenceDelay = 250
    /// After the last byte of a paste whose end does not come.
    private static let pasteDelay = 2000

    /// The next event, or `nil` when none is queued; never waits.
    ///
    /// Call it until it returns `nil` before waiting again: events that were already read make ``inputDescriptor`` readable no
    /// more.
    public mutating func readEvent() -> InputEvent? {
        while true {
            for signal in signals.take() { answer(signal) }
            if !waiting.isEmpty { return waiting.removeFirst() }
            if let event = decoder.next() { return counted(event) }
            if readBytes() { continue }
            guard let pause = pause(for: decoder.pending) else {
                setDeadline(nil)
                return nil
            }
            guard let deadline else {
                setDeadline(EventPoll.now + pause)
                return nil
            }
            guard EventPoll.now >= deadline else { return nil }
            setDeadline(nil)
            waiting = decoder.flush()
        }
    }

    /// Does what a signal asks for.
    mutating func answer(_ signal: Int32) {
        switch signal {
        case SIGWINCH: takeSize()
        case SIGTSTP: suspend()
        case SIGCONT:
            // Stopped by a signal nobody can catch: the shell has had the terminal.
            giveBack()
            takeBack()
            waiting.append(.resumed)
        default: hangUp()
        }
    }

    /// Takes in what the terminal sent, and answers whether there was something.
    private mutating func readBytes() -> Bool {
        guard !isHungUp else { return false }
        var wanted = pollfd(fd: Self.input, events: Int16(POLLIN), revents: 0)
        // Asking first keeps the terminal itself blocking: it is shared with the shell and with every program started from here.
        guard Glibc.poll(&wanted, 1, 0) > 0 else { return false }
        var bytes = [UInt8](repeating: 0, count: 16 * 1024)
        let count = read(Self.input, &bytes, bytes.count)
        if count > 0 {
            setDeadline(nil)
            decoder.feed(bytes.prefix(count))
            return true
        }
        if count < 0, errno == EINTR || errno == EAGAIN { return false }
        hangUp()
        return true
    }

    private mutating func hangUp() {
        guard !isHungUp else { return }
        isHungUp = true
        poll.forget(Self.input)
        waiting.append(.hangup)
    }

    private mutating func counted(_ event: InputEvent) -> InputEvent {
        guard case .mouse(let mouse) = event else { return event }
        return .mouse(clicks.count(mouse, at: EventPoll.now))
    }

    private mutating func setDeadline(_ time: Int?) {
        guard time != deadline else { return }
        deadline = time
        poll.setTimer(time.map { max(1, $0 - EventPoll.now) })
    }

    private func pause(for pending: KeyDecoder.Pending) -> Int? {
        switch pending {
        case .nothing: nil
        case .escape: Self.escapeDelay
        case .sequence: Self.sequenceDelay
        case .paste: Self.pasteDelay
        }
    }
}
