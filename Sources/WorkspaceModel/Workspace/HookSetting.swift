internal import SortieBase

/// An entry of a `hooks:` list: a program that takes part in calls at one stage.
///
/// The stages are those of a plugin. The program receives the request or the exchange as JSON on its standard input and writes its
/// changes as JSON to its standard output (``HookOutput``).
package struct HookSetting: Hashable, Sendable {
    /// When the program runs.
    package enum Stage: String, Hashable, Sendable, CaseIterable {
        /// Once, before the request is built for the first attempt.
        case willPrepare
        /// For every attempt, before the plugins, so that `sign` signs what the program changes.
        case prepare
        /// For every attempt, after the plugins: the request as it is about to be sent.
        case willSend
        /// For every attempt: a response arrived.
        case didReceive
        /// Once: the call has a result or an error.
        case process

        /// Whether the program can change the request.
        package var changesRequest: Bool { self == .willPrepare || self == .prepare || self == .willSend }
    }

    /// The stage.
    package var stage: Stage
    /// The program and its arguments, without templates.
    ///
    /// A program whose name has a slash is a path relative to the workspace, any other one is searched in `PATH`.
    package var command: [String]
    /// Environment variables for the program in addition to those of Sortie: names and templates.
    package var environment: [String: String]
    /// The maximum duration of one run, or of one response of a program that keeps running.
    package var timeout: Duration
    /// Whether one process handles all calls: it reads a line of JSON for each and writes one line in return.
    package var keepsRunning: Bool

    /// The limit of ``timeout`` where the file names none.
    package static let standardTimeout = Duration.seconds(10)

    /// Creates an entry.
    package init(
        _ stage: Stage, command: [String], environment: [String: String] = [:], timeout: Duration = HookSetting.standardTimeout,
        keepsRunning: Bool = false
    ) {
        self.stage = stage
        self.command = command
        self.environment = environment
        self.timeout = timeout
        self.keepsRunning = keepsRunning
    }

    /// The name in messages: the words of the command.
    package var name: String { command.joined(separator: " ") }

    /// The names that may be files.
    package var fileNames: Set<String> { ProgramFiles.names(in: command) }

    /// The text for which the user gives permission: the variables of its environment and the words, in JSON where they could be read as others,
    /// and the digests of the files of the workspace among them, so that a changed script needs a new permission.
    package func permissionText(digests: [String: String]) -> String {
        let variables = environment.sorted { $0.key < $1.key }.map { Self.quoted("\($0.key)=\($0.value)") }
        // A program whose name has an equals sign could be read as a variable.
        let words = command.enumerated().map { Self.quoted($0.element, always: $0.offset == 0 && $0.element.contains("=")) }
        return (variables + words).joined(separator: " ") + ProgramFiles.text(fileNames, digests)
    }

    private static func quoted(_ word: String, always: Bool = false) -> String {
        let isPlain =
            !always && !word.isEmpty
            && word.utf8.allSatisfy { byte in
                byte > 0x20 && byte < 0x7f && !"\"'\\,[]".utf8.contains(byte)
            }
        return isPlain ? word : JSONValue.string(word).text
    }
}
