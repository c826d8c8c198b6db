import Glibc

/// Input from keys, the mouse and signals.
extension Screen {
    /// The timeout after a single Escape, in milliseconds.
    private static let escapeDelay = 25
    /// The timeout after the start of a sequence.
    ///
    /// It is longer, because only a slow connection splits a sequence, which must not become text.
    private static let sequenceDelay = 250
    /// The timeout after the last byte of a paste or a report without an end.
    private static let textDelay = 2000

    /// The next event; `nil` when none is pending.
    ///
    /// Does not block.
    ///
    /// Callers must call it until it returns `nil` before they wait again, because events that were already read no
    /// longer make ``inputDescriptor`` readable.
    package mutating func readEvent() -> InputEvent? {
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

    /// Handles a signal.
    mutating func answer(_ signal: Int32) {
        switch signal {
        case SIGWINCH: takeSize()
        case SIGTSTP: suspend()
        case SIGCONT:
            // After SIGSTOP, which cannot be caught, the shell has used the terminal.
            giveBack()
            takeBack()
            waiting.append(.resumed)
        default: hangUp()
        }
    }

    /// Reads bytes from the terminal.
    ///
    /// Returns whether the state changed.
    private mutating func readBytes() -> Bool {
        guard !isHungUp else { return false }
        var wanted = pollfd(fd: Self.input, events: Int16(POLLIN), revents: 0)
        // `poll` lets the terminal stay in blocking mode, which it shares with the shell and with every child
        // program.
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
        case .paste, .report: Self.textDelay
        }
    }
}
