internal import SortieBase

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
