internal import SortieBase
internal import SortieNetworking
internal import Synchronization

/// One input for a hook's program, with the output once there is one.
final class HookJob: Sendable {
    /// The output, or why there is none.
    enum Outcome: Sendable {
        case output([UInt8], standardError: String)
        case failed(HookFailure)
        /// The process ended before it read the input.
        case notStarted
    }

    let input: [UInt8]
    private let outcome = Mutex<Outcome?>(nil)
    private let wake = Latch()

    init(_ input: [UInt8]) { self.input = input }

    /// Sets the outcome; only the first one counts.
    func finish(_ result: Outcome) {
        outcome.withLock { $0 = $0 ?? result }
        wake.open()
    }

    /// Waits for the outcome; nil when the task is cancelled before.
    func wait() async -> Outcome? {
        await withTaskCancellationHandler {
            await wake.wait()
        } onCancel: {
            wake.open()
        }
        return outcome.withLock { $0 }
    }
}

/// A hook's program as it is started: the words, the environment and the folder.
struct HookCommand: Hashable, Sendable {
    /// The program and its arguments.
    var words: [String]
    /// The additional environment variables.
    var environment: [String: String]
    /// The working directory, which is the folder of the workspace.
    var folder: String
    /// Whether one process handles all calls.
    var keepsRunning: Bool
    /// The limit of one run, or of one response of a process that keeps running.
    var timeout: Duration

    /// The path of a program whose name has a slash; nil for one that is searched in `PATH`.
    var programPath: String? { words.first.flatMap { $0.contains("/") ? FilePath.joining(folder, $0) : nil } }
}

/// Why a hook's program returned no output.
struct HookFailure: Error, Hashable, Sendable {
    /// The reason, as a clause after the name of the hook.
    var reason: String
    /// The end of its standard error; empty for none.
    var standardError: String

    init(_ reason: String, standardError: String = "") {
        (self.reason, self.standardError) = (reason, standardError)
    }

    /// The last line of standard error, where an exception of most languages is named.
    var lastLine: String? {
        standardError.split(whereSeparator: \.isNewline).last { !$0.allSatisfy(\.isWhitespace) }
            .map { String($0.drop(while: \.isWhitespace).prefix(300)) }
    }
}
