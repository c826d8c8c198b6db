internal import Dispatch
internal import Foundation
internal import SortieBase
internal import Subprocess
internal import Synchronization
internal import SystemPackage

/// A process of a hook's program, in its own session, so that a timeout ends all of its processes; those that leave the session are found by their mark.
///
/// None of them outlives the hook or this program (``GroupSupervisor``).
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
        var hasBegun = false
        /// The reason for which it was killed; nil for a process that ended without a signal.
        var killedFor: String?
        var standardError: [UInt8] = []
        /// Waits for the timeout of the current job.
        var watch: Task<Void, any Error>?
        var isOver = false
    }

    private let command: HookCommand
    private let program: ProgramContext
    private let mark = ProcessMark()
    private let state = Mutex(State())
    private let jobs: AsyncStream<HookJob>
    private let queue: AsyncStream<HookJob>.Continuation

    init(_ command: HookCommand, in program: ProgramContext) {
        (self.command, self.program) = (command, program)
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
        let group = state.withLock { state in
            state.killedFor = state.killedFor ?? reason
            if let group = state.group { _ = Foundation.kill(-group, SIGKILL) }
            return state.group
        }
        // They may hold the output open, and the job waits for its end.
        if let group { mark.killProcesses(startedAfter: group) }
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

    /// Waits for a line of standard input, and becomes the program; ends where there is none.
    ///
    /// The line follows when the supervisor has the number of the process, so that the program does not run where this one is killed before. `read`
    /// reads no more than the line, and `_` is a variable that shells set themselves.
    private static let gate = "read -r _ && exec \"$0\" \"$@\""

    /// - Parameter note: Receives the job that the program is handling; nil between jobs.
    /// - Returns: The outcome of the job that the program was handling when it ended.
    private func start(_ note: @escaping @Sendable (HookJob?) -> Void) async -> HookJob.Outcome {
        var options = PlatformOptions()
        options.createSession = true
        var variables = command.environment
        variables[ProcessMark.variable] = mark.value(in: program.environment)
        let changes = variables.map { (Environment.Key(stringLiteral: $0.key), Optional($0.value)) }
        let environment = program.childEnvironment.updating(Dictionary(uniqueKeysWithValues: changes))
        await GroupSupervisor.shared.prepare()
        do {
            let program = try await path(in: environment)
            let result = try await Subprocess.run(
                .path("/bin/sh"),
                arguments: Arguments(executablePathOverride: "sh", remainingValues: ["-c", Self.gate, program] + command.words.dropFirst()),
                environment: environment, workingDirectory: SystemPackage.FilePath(command.folder), platformOptions: options,
                input: .inputWriter, output: .sequence, error: .sequence
            ) { execution in
                begin(execution.processIdentifier.value)
                defer { end(execution.processIdentifier.value) }
                await write([], to: execution.standardInputWriter)
                async let errors: Void = collectErrors(execution.standardError)
                let output = try await handle(execution.standardInputWriter, execution.standardOutput, note)
                try await execution.standardInputWriter.finish()
                try await errors
                // A program that has closed its output may still run, and is killed by its group.
                await ProcessEnd.wait(for: execution.processIdentifier)
                return output
            }
            return outcome(output: result.closureResult, result.terminationStatus)
        } catch {
            guard !state.withLock({ $0.hasBegun }) else { return .failed(HookFailure("failed: \(error)")) }
            // The first job of a program that cannot be started.
            for await job in jobs {
                note(job)
                break
            }
            return .failed(error as? HookFailure ?? HookFailure("cannot be started: \(error)"))
        }
    }

    /// The path of the program.
    ///
    /// - Throws: ``HookFailure`` for a program that cannot be started.
    private func path(in environment: Environment) async throws -> String {
        let name = command.words[0]
        guard let path = command.programPath else {
            do { return try await Executable.name(name).resolveExecutablePath(in: environment).string } catch {
                throw HookFailure("cannot be started: PATH has no program \(name); ./\(name) is a file of the workspace")
            }
        }
        if let problem = ProgramFile(path: path, folder: command.folder).problem(named: path) { throw HookFailure("cannot be started: \(problem)") }
        return path
    }

    private func begin(_ group: pid_t) {
        GroupSupervisor.shared.add(group)
        let isKilled = state.withLock { state in
            (state.group, state.hasBegun) = (group, true)
            return state.killedFor != nil
        }
        if isKilled { kill(because: "") }
    }

    private func end(_ group: pid_t) {
        GroupSupervisor.shared.end(group)
        mark.killProcesses(startedAfter: group)
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
            async let written: Void = write(job.input, to: input, isLast: !command.keepsRunning)
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

    /// Writes a line; a program that does not read it is not an error.
    private func write(_ bytes: [UInt8], to input: StandardInputWriter, isLast: Bool = false) async {
        do {
            _ = try await input.write(bytes + [0x0a])
            if isLast { try await input.finish() }
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

/// Reads the standard output of a program completely or by lines.
struct HookOutputReader {
    /// The result of reading a line.
    enum Line {
        /// The bytes without the newline.
        case line([UInt8])
        case tooLong
        /// The program closed its output.
        case end
    }

    private var iterator: SubprocessOutputSequence.AsyncIterator
    private var buffered: [UInt8] = []
    private let limit: Int

    init(_ output: SubprocessOutputSequence, limit: Int) {
        iterator = output.makeAsyncIterator()
        self.limit = limit
    }

    /// All bytes until the program closes its output; nil for more than the limit.
    mutating func all() async throws -> [UInt8]? {
        while try await readMore() { guard buffered.count <= limit else { return nil } }
        return buffered
    }

    /// The next line that is not empty.
    mutating func line() async throws -> Line {
        var searched = 0
        while true {
            if let end = buffered[searched...].firstIndex(of: 0x0a) {
                let line = Array(buffered[..<end])
                buffered.removeFirst(end + 1)
                searched = 0
                if line.allSatisfy({ $0 == 0x20 || $0 == 0x0d }) { continue }
                return .line(line)
            }
            searched = buffered.count
            guard searched <= limit else { return .tooLong }
            guard try await readMore() else { return .end }
        }
    }

    private mutating func readMore() async throws -> Bool {
        guard let buffer = try await iterator.next() else { return false }
        buffer.withUnsafeBytes { buffered += $0 }
        return true
    }
}

/// Waits for the end of a process without reaping it, so that its ID and that of its group are not used again.
enum ProcessEnd {
    /// Returns when the process has ended; at once on a system without descriptors of processes (before Linux 5.4).
    static func wait(for process: ProcessIdentifier) async {
        guard process.processDescriptor >= 0 else { return }
        // The descriptor of a process is readable after its end (pidfd_open(2)).
        let (ended, continuation) = AsyncStream<Void>.makeStream()
        let source = DispatchSource.makeReadSource(fileDescriptor: process.processDescriptor, queue: .global())
        source.setEventHandler { continuation.finish() }
        source.activate()
        for await _ in ended {}
        // Its owner closes the descriptor, which the source must not use then.
        await withCheckedContinuation { continuation in
            source.setCancelHandler { continuation.resume() }
            source.cancel()
        }
    }
}
