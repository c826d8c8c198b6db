internal import Foundation
internal import SortieNetworking
internal import Synchronization

/// The running programs of hooks.
final class HookPrograms: Sendable {
    private struct State {
        /// The processes that keep running, by their command.
        var kept: [HookCommand: HookProcess] = [:]
        /// All processes that have not ended.
        var all: [ObjectIdentifier: HookProcess] = [:]
        var isOver = false
    }

    private let state = Mutex(State())
    private let running = DispatchGroup()

    /// The output of a command for one input line, and its standard error.
    ///
    /// A process that keeps running handles one input after the other.
    ///
    /// - Throws: `CancellationError` when the task is cancelled; a process that does not keep running is killed then.
    func output(of command: HookCommand, for input: [UInt8], in program: ProgramContext) async throws -> (bytes: [UInt8], standardError: String) {
        // A process that keeps running may end before it has read the input; the next one gets it.
        for _ in 0..<3 {
            let job = HookJob(input)
            let process = try process(for: command, job, in: program)
            guard let outcome = await job.wait() else {
                if !command.keepsRunning { process.kill(because: "was cancelled") }
                throw CancellationError()
            }
            switch outcome {
            case .output(let bytes, let errors): return (bytes, errors)
            case .failed(let failure): throw failure
            case .notStarted: continue
            }
        }
        throw HookFailure("ends before it reads its input")
    }

    /// Ends the processes that keep running, so that the next call starts changed programs.
    func endKept() {
        let kept = state.withLock { state in
            defer { state.kept = [:] }
            return Array(state.kept.values)
        }
        for process in kept { process.finish() }
    }

    /// Ends all processes and blocks until they have ended; none starts afterwards.
    ///
    /// Those that keep running have half a second to end after their input is closed. Killed ones are waited for for at most two seconds, because the
    /// kernel may not end them.
    func endAll() {
        state.withLock { $0.isOver = true }
        endKept()
        guard running.wait(timeout: .now() + .milliseconds(500)) == .timedOut else { return }
        killAll()
        _ = running.wait(timeout: .now() + .seconds(2))
    }

    /// Kills all processes, for a program that exits without waiting.
    func killAll() {
        for process in state.withLock({ Array($0.all.values) }) { process.kill(because: "was ended with the program") }
    }

    /// The process to which a job was given.
    private func process(for command: HookCommand, _ job: HookJob, in program: ProgramContext) throws -> HookProcess {
        let (process, isNew) = try state.withLock { state throws(CancellationError) -> (HookProcess, Bool) in
            guard !state.isOver else { throw CancellationError() }
            if command.keepsRunning, let kept = state.kept[command], kept.add(job) { return (kept, false) }
            let process = HookProcess(command, in: program)
            _ = process.add(job)
            state.all[ObjectIdentifier(process)] = process
            if command.keepsRunning { state.kept[command] = process } else { process.finish() }
            running.enter()
            return (process, true)
        }
        guard isNew else { return process }
        Task(executorPreference: BlockingExecutor.shared) { [self] in
            await process.run()
            state.withLock { state in
                state.all[ObjectIdentifier(process)] = nil
                if state.kept[command] === process { state.kept[command] = nil }
            }
            running.leave()
        }
        return process
    }
}
