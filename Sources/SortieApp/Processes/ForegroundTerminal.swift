internal import CLinux
internal import Foundation
internal import Synchronization

/// The controlling terminal, which one process group at a time uses.
///
/// swift-subprocess starts a process group, but does not make it the foreground group of a terminal.
final class ForegroundTerminal: Sendable {
    private let descriptor: Int32
    private let isTaken = Mutex(true)

    private let turn: TerminalTurn

    private init(_ descriptor: Int32, _ turn: TerminalTurn) { (self.descriptor, self.turn) = (descriptor, turn) }

    /// Waits for its turn; nil without a terminal, or when the program is not in the foreground process group.
    static func take(in program: ProgramContext) async -> ForegroundTerminal? {
        guard program.ownsProcess else { return nil }
        let descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        let turn = program.terminal.turn
        await turn.take()
        guard tcgetpgrp(descriptor) == getpgrp() else {
            turn.end()
            close(descriptor)
            return nil
        }
        return ForegroundTerminal(descriptor, turn)
    }

    /// Makes a process group the foreground one.
    func lend(to group: pid_t) {
        setForeground(group)
        // The group may have accessed the terminal before, and been stopped.
        _ = kill(-group, SIGCONT)
    }

    /// Makes the program's process group the foreground one; a second call does nothing.
    func giveBack() {
        let isFirst = isTaken.withLock { isTaken in
            defer { isTaken = false }
            return isTaken
        }
        guard isFirst else { return }
        setForeground(getpgrp())
        close(descriptor)
        turn.end()
    }

    private func setForeground(_ group: pid_t) {
        // A background process that sets the foreground group is stopped by SIGTTOU unless it blocks that signal (tcsetpgrp(3)).
        var (signals, before) = (sigset_t(), sigset_t())
        sigemptyset(&signals)
        sigaddset(&signals, SIGTTOU)
        pthread_sigmask(SIG_BLOCK, &signals, &before)
        tcsetpgrp(descriptor, group)
        pthread_sigmask(SIG_SETMASK, &before, nil)
    }
}
