internal import Foundation
internal import Synchronization

/// The running commands of secrets.
///
/// A command that several calls need at the same time runs once.
final class SecretCommands: Sendable {
    private struct Key: Hashable {
        let command: String
        let folder: String
        let mayAsk: Bool
    }

    private struct Shared {
        let command: SecretCommand
        var waiting = 1
    }

    /// An output that is used again until a time.
    private struct Kept {
        let bytes: [UInt8]
        let until: ContinuousClock.Instant
    }

    private struct State {
        /// The outputs of commands with a lifetime, in memory only.
        var kept: [Key: Kept] = [:]
        var running: [Key: Shared] = [:]
        /// All commands that have not ended, including those without a waiting call.
        var all: [ObjectIdentifier: SecretCommand] = [:]
        var isOver = false
    }

    private let state = Mutex(State())

    /// Waits until the command has ended or the cancellation.
    ///
    /// The command is cancelled together with its last waiting call.
    ///
    /// - Parameters:
    ///   - folder: The working directory of the command.
    ///   - mayAsk: Whether the command may prompt on the terminal.
    ///   - lifetime: How long the output of a command that succeeds is used instead of running it again; nil for never.
    func outcome(
        of text: String, in folder: String, mayAsk: Bool, program: ProgramContext, lifetime: Duration? = nil, cancelledBy cancellation: Cancellation
    ) async -> SecretCommand.Outcome {
        let key = Key(command: text, folder: folder, mayAsk: mayAsk)
        guard !cancellation.isCancelled else { return .cancelled }
        guard let lifetime else { return await run(key, in: program, cancelledBy: cancellation) }
        let now = ContinuousClock.now
        if let kept = state.withLock({ $0.kept[key] }), now < kept.until { return .printed(kept.bytes) }
        let outcome = await run(key, in: program, cancelledBy: cancellation)
        // An empty output is an error, after which the command may succeed.
        if case .printed(let bytes) = outcome, bytes.contains(where: { $0 != 0x0A }) {
            // From the start of the command, because the value may be older than its output.
            state.withLock { $0.kept[key] = Kept(bytes: bytes, until: now + lifetime) }
        }
        return outcome
    }

    private func run(_ key: Key, in program: ProgramContext, cancelledBy cancellation: Cancellation) async -> SecretCommand.Outcome {
        guard let command = join(key, in: program) else { return .cancelled }
        let (end, wake) = (Latch(), Latch())
        command.whenEnded {
            end.open()
            wake.open()
        }
        cancellation.whenCancelled { wake.open() }
        await wake.wait()
        let isLast = leave(key, command)
        if let outcome = command.outcome { return outcome }
        guard isLast else { return .cancelled }
        command.cancel()
        // None of its processes is left when the cancelled call returns.
        await end.wait()
        return .cancelled
    }

    /// Cancels all commands and blocks until they have ended; none starts afterwards.
    func endAll() {
        let commands = state.withLock { state in
            state.isOver = true
            return Array(state.all.values)
        }
        let group = DispatchGroup()
        for command in commands {
            group.enter()
            command.whenEnded { group.leave() }
            command.cancel()
        }
        group.wait()
    }

    /// Kills the processes of all commands, for a program that exits without waiting.
    func killAll() {
        for command in state.withLock({ Array($0.all.values) }) { command.kill() }
    }

    private func join(_ key: Key, in program: ProgramContext) -> SecretCommand? {
        let (command, isNew) = state.withLock { state -> (SecretCommand?, Bool) in
            guard !state.isOver else { return (nil, false) }
            if let shared = state.running[key] {
                state.running[key]?.waiting += 1
                return (shared.command, false)
            }
            let command = SecretCommand(key.command, folder: key.folder, mayAsk: key.mayAsk, in: program)
            state.running[key] = Shared(command: command)
            state.all[ObjectIdentifier(command)] = command
            return (command, true)
        }
        guard let command, isNew else { return command }
        command.whenEnded { [self] in
            state.withLock { state in
                state.all[ObjectIdentifier(command)] = nil
                // Later calls run the command again.
                if state.running[key]?.command === command { state.running[key] = nil }
            }
        }
        command.start()
        return command
    }

    /// Removes a waiting call; true for the last one.
    private func leave(_ key: Key, _ command: SecretCommand) -> Bool {
        state.withLock { state in
            guard state.running[key]?.command === command else { return false }
            state.running[key]?.waiting -= 1
            guard state.running[key]?.waiting == 0 else { return false }
            state.running[key] = nil
            return true
        }
    }
}
