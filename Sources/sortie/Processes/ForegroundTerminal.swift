internal import Foundation
internal import Synchronization

/// The controlling terminal, lent to one process group at a time.
final class ForegroundTerminal: Sendable {
    /// One command at a time: two questions on one terminal could not be told apart.
    private static let turn = DispatchSemaphore(value: 1)

    private let descriptor: Int32
    private let isTaken = Mutex(true)

    private init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Waits for its turn; nil without a terminal, or where the program is not in the terminal's foreground.
    static func take() -> ForegroundTerminal? {
        let descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        turn.wait()
        guard tcgetpgrp(descriptor) == getpgrp() else {
            turn.signal()
            close(descriptor)
            return nil
        }
        return ForegroundTerminal(descriptor)
    }

    /// Makes a process group the foreground one.
    func lend(to group: pid_t) {
        setForeground(group)
        // It may have asked for the terminal before it had it, and stopped.
        _ = kill(-group, SIGCONT)
    }

    /// Makes the program the foreground process group; a second call does nothing.
    func giveBack() {
        let isFirst = isTaken.withLock { isTaken in
            defer { isTaken = false }
            return isTaken
        }
        guard isFirst else { return }
        setForeground(getpgrp())
        close(descriptor)
        Self.turn.signal()
    }

    private func setForeground(_ group: pid_t) {
        // A process in the background that sets the foreground is stopped unless it blocks this signal (tcsetpgrp(3)).
        var (signals, before) = (sigset_t(), sigset_t())
        sigemptyset(&signals)
        sigaddset(&signals, SIGTTOU)
        pthread_sigmask(SIG_BLOCK, &signals, &before)
        tcsetpgrp(descriptor, group)
        pthread_sigmask(SIG_SETMASK, &before, nil)
    }
}
