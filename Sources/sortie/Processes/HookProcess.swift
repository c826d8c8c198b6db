internal import Foundation
internal import Interchange
internal import SortieBase
internal import SortieNetworking
internal import Subprocess
internal import Synchronization
internal import SystemPackage

/// A process of a hook's program, in its own session, so that a timeout ends all of its processes.
///
/// It does not outlive this program (``GroupSupervisor``).
///
/// It handles one job: it reads the input to the end and its output is complete when it ends. One that keeps running handles jobs in their order, with
/// one line for each.
final class HookProcess: Sendable {
    /// The largest output of a job, in bytes.
    static let limit = 16 << 20
    /// The number of bytes at the end of standard error that are kept.
    private static let errorLimit = 4096

    private struct State {
        /// The process group until the program has ended.
        var group: pid_t?
        /// The reason for which it was killed; nil for a process that ended without a signal.
        var killedFor: String?
        var standardError: [UInt8] = []
        /// Waits for the timeout of the current job.
        var watch: Task<Void, any Error>?
        var isOver = false
    }

    private let command: HookCommand
    private let state = Mutex(State())
    private let jobs: AsyncStream<HookJob>
    private let queue: AsyncStream<HookJob>.Continuation

    init(_ command: HookCommand) {
        self.command = command
        (jobs, queue) = AsyncStream.makeStream()
    }

    /// Adds a job; false when the process does not accept it any more.
    func add(_ job: HookJob) -> Bool {
        guard !state.withLock({ $0.isOver }) else { return false }
        if case .terminated = queue.yield(job) { return false }
        return true
    }

    /// No job follows; the program's standard input is closed when those that were added are done.
    func finish() { queue.finish() }

    /// Kills its processes; it accepts no further jobs.
    func kill(because reason: String) {
        queue.finish()
        // Under the lock, because the process ID may be reused once the program has been reaped.
        state.withLock { state in
            state.killedFor = state.killedFor ?? reason
            if let group = state.group { _ = Foundation.kill(-group, SIGKILL) }
        }
    }

    /// Runs the program until it ends; the outcomes of all its jobs are set then.
    func run() async {
        let ended = Mutex<HookJob?>(nil)
        let failure = await start { job in ended.withLock { $0 = job } }
        // Only now, because a program may close its output and not end.
        endWatch()
        state.withLock { $0.isOver = true }
        queue.finish()
        ended.withLock { $0 }?.finish(failure)
        for await job in jobs { job.finish(.notStarted) }
    }

    /// - Parameter note: Receives the job that the program is handling; nil between jobs.
    /// - Returns: The outcome of the job that the program was handling when it ended.
    private func start(_ note: @escaping @Sendable (HookJob?) -> Void) async -> HookJob.Outcome {
        var options = PlatformOptions()
        options.createSession = true
        let program = command.words[0]
        let path = command.programPath
        let environment = command.environment.map { (Environment.Key(stringLiteral: $0.key), Optional($0.value)) }
        await GroupSupervisor.shared.prepare()
        do {
            let result = try await Subprocess.run(
                path.map { .path(SystemPackage.FilePath($0)) } ?? .name(program),
                arguments: Arguments(executablePathOverride: program, remainingValues: Array(command.words.dropFirst())),
                environment: .inherit.updating(Dictionary(uniqueKeysWithValues: environment)),
                workingDirectory: SystemPackage.FilePath(command.folder), platformOptions: options,
                input: .inputWriter, output: .sequence, error: .sequence
            ) { execution in
                begin(execution.processIdentifier.value)
                defer { end(execution.processIdentifier.value) }
                async let errors: Void = collectErrors(execution.standardError)
                let output = try await handle(execution.standardInputWriter, execution.standardOutput, note)
                try await execution.standardInputWriter.finish()
                try await errors
                // A program that has closed its output may still run, and is killed by its group.
                await ProcessEnd.wait(for: execution.processIdentifier)
                return output
            }
            return outcome(output: result.closureResult, result.terminationStatus)
        } catch let error as SubprocessError {
            // The first job of a program that cannot be started.
            for await job in jobs {
                note(job)
                break
            }
            return .failed(HookFailure("cannot be started: \(reason(error, path))"))
        } catch {
            return .failed(HookFailure("failed: \(error)"))
        }
    }

    /// Why a program cannot be started, with the remedy.
    ///
    /// The system reports a file that is not executable and a missing interpreter as missing files.
    private func reason(_ error: SubprocessError, _ path: String?) -> String {
        let reason = error.underlyingError.map { "\($0)".lowercased() } ?? "\(error)"
        guard let path else { return "\(reason); it is searched in PATH, and ./\(command.words[0]) is a file of the workspace" }
        if access(path, F_OK) != 0 { return "there is no file \(path)" }
        if access(path, X_OK) != 0 { return "the file is not executable; chmod +x \(ShellQuote.quoted(path)) changes that" }
        guard let code = error.underlyingError?.rawValue, [ENOENT, ENOEXEC].contains(code) else { return reason }
        return "\(reason); the first line of the file names its interpreter, as in #!/usr/bin/env python3"
    }

    private func begin(_ group: pid_t) {
        GroupSupervisor.shared.add(group)
        let isKilled = state.withLock { state in
            state.group = group
            return state.killedFor != nil
        }
        if isKilled { kill(because: "") }
    }

    private func end(_ group: pid_t) {
        GroupSupervisor.shared.remove(group)
        state.withLock { $0.group = nil }
    }

    private func outcome(output: [UInt8]?, _ status: TerminationStatus) -> HookJob.Outcome {
        let (reason, errors) = state.withLock { ($0.killedFor, String(decoding: $0.standardError, as: UTF8.self)) }
        if let reason { return .failed(HookFailure(reason, standardError: errors)) }
        switch status {
        case .exited(0):
            guard let output, !command.keepsRunning else {
                return .failed(HookFailure("ended without a response", standardError: errors))
            }
            return .output(output, standardError: errors)
        case .exited(let code): return .failed(HookFailure("failed with status \(code)", standardError: errors))
        case .signaled(let signal): return .failed(HookFailure("was ended by signal \(signal)", standardError: errors))
        }
    }

    // MARK: Input and output

    /// Handles jobs until there are no more or the program closes its output.
    ///
    /// - Returns: The output of the only job of a program that does not keep running.
    private func handle(
        _ input: StandardInputWriter, _ output: SubprocessOutputSequence, _ note: @escaping @Sendable (HookJob?) -> Void
    ) async throws -> [UInt8]? {
        var reader = HookOutputReader(output, limit: Self.limit)
        var isFirst = true
        for await job in jobs {
            note(job)
            watch()
            async let written: Void = write(job.input, to: input)
            guard command.keepsRunning else {
                let all = try await reader.all()
                // Before the end of the input is waited for: a program that waits for its output to be read does not read its input.
                if all == nil { tooLong() }
                await written
                return all
            }
            switch try await reader.line() {
            case .line(let bytes):
                job.finish(.output(bytes, standardError: takeErrors()))
                note(nil)
                isFirst = false
                await written
                endWatch()
            case .tooLong:
                tooLong()
                return nil
            case .end:
                // It may have ended before this input; another process gets it.
                if !isFirst { job.finish(.notStarted) }
                return nil
            }
        }
        return nil
    }

    /// Kills the program after the timeout.
    private func watch() {
        let watch = Task { [timeout = command.timeout] in
            try await Task.sleep(for: timeout)
            kill(because: "took longer than its timeout of \(DurationText.text(timeout))")
        }
        state.withLock { $0.watch = watch }
    }

    private func endWatch() {
        state.withLock { state in
            state.watch?.cancel()
            state.watch = nil
        }
    }

    private func tooLong() { kill(because: "wrote more than \(ByteCount(Int64(Self.limit)).text)") }

    /// Writes the input; a program that does not read it is not an error.
    private func write(_ bytes: [UInt8], to input: StandardInputWriter) async {
        do {
            _ = try await input.write(bytes + [0x0a])
            if !command.keepsRunning { try await input.finish() }
        } catch {
            // The program has closed its standard input, or it has ended, which its output shows.
        }
    }

    private func collectErrors(_ errors: SubprocessOutputSequence) async throws {
        for try await buffer in errors {
            state.withLock { state in
                buffer.withUnsafeBytes { state.standardError += $0 }
                let surplus = state.standardError.count - Self.errorLimit
                if surplus > 0 { state.standardError.removeFirst(surplus) }
            }
        }
    }

    private func takeErrors() -> String {
        state.withLock { state in
            defer { state.standardError = [] }
            return String(decoding: state.standardError, as: UTF8.self)
        }
    }
}
