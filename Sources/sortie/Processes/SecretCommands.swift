internal import Foundation
internal import Synchronization

/// The commands of secrets that run: one that several calls ask for at the same time runs once.
final class SecretCommands: Sendable {
    static let shared = SecretCommands()

    private struct Key: Hashable {
        let command: String
        let mayAsk: Bool
    }

    private struct Shared {
        let command: SecretCommand
        var waiting = 1
    }

    private struct State {
        var running: [Key: Shared] = [:]
        /// All that have not ended, also those that are not waited for any more.
        var all: [ObjectIdentifier: SecretCommand] = [:]
        var isOver = false
    }

    private let state = Mutex(State())

    /// Blocks until the command has ended or the cancellation; the command is ended when the last one who waits for it is cancelled.
    ///
    /// - Parameter mayAsk: whether the command may ask the user on the terminal.
    func outcome(of text: String, mayAsk: Bool, cancelledBy cancellation: Cancellation) -> SecretCommand.Outcome {
        guard !cancellation.isCancelled else { return .cancelled }
        let key = Key(command: text, mayAsk: mayAsk)
        guard let command = join(key) else { return .cancelled }
        let wake = DispatchSemaphore(value: 0)
        command.whenEnded { wake.signal() }
        cancellation.whenCancelled { wake.signal() }
        wake.wait()
        let isLast = leave(key, command)
        if let outcome = command.outcome { return outcome }
        guard isLast else { return .cancelled }
        command.cancel()
        // The second signal is that of its end: who cancelled finds none of its processes any more.
        wake.wait()
        return .cancelled
    }

    /// Ends all commands and returns when they have ended; none starts afterwards.
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

    /// Ends the processes of all commands at once, for a program that ends without waiting.
    func killAll() {
        for command in state.withLock({ Array($0.all.values) }) { command.kill() }
    }

    private func join(_ key: Key) -> SecretCommand? {
        let (command, isNew) = state.withLock { state -> (SecretCommand?, Bool) in
            guard !state.isOver else { return (nil, false) }
            if let shared = state.running[key] {
                state.running[key]?.waiting += 1
                return (shared.command, false)
            }
            let command = SecretCommand(key.command, mayAsk: key.mayAsk)
            state.running[key] = Shared(command: command)
            state.all[ObjectIdentifier(command)] = command
            return (command, true)
        }
        guard let command, isNew else { return command }
        command.whenEnded { [self] in
            state.withLock { state in
                state.all[ObjectIdentifier(command)] = nil
                // Who asks from now on gets a new value.
                if state.running[key]?.command === command { state.running[key] = nil }
            }
        }
        command.start()
        return command
    }

    /// True for the last one that waited for a command.
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
