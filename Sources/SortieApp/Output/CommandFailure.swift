internal import SortieHTTP
internal import SortieStorage
internal import WorkspaceModel

/// The reason why a command ends with another status than 0: one line on stderr, then a hint where one helps.
struct CommandFailure: Error {
    /// The category of the failure, which determines the exit code.
    enum Kind {
        /// The response failed.
        case response
        /// The command line is wrong.
        case usage
        /// A workspace or a file is invalid.
        case file
        /// The network failed.
        case network
        /// The user interrupted the command.
        case interrupted

        var exitCode: Int32 {
            switch self {
            case .response: 1
            case .usage: 2
            case .file: 3
            case .network: 4
            case .interrupted: 130
            }
        }
    }

    let kind: Kind
    let name: String
    let message: String
    /// The lines between the message and the hint.
    let details: [String]
    let hint: String?
    /// The message and the remedy for users of the workbench; nil where those for users of commands are the same.
    private let workbenchSentence: String?

    var exitCode: Int32 { kind.exitCode }

    /// Creates a failure; the passwords of URLs in its texts are masked.
    ///
    /// A command quotes what was typed, and a URL can be typed in place of anything else.
    init(_ kind: Kind, name: String? = nil, _ message: String, details: [String] = [], hint: String? = nil, workbench: String? = nil) {
        self.kind = kind
        self.name = name ?? kind.defaultName
        self.message = Self.hidingLogin(in: message)
        self.details = details.map(Self.hidingLogin)
        self.hint = hint.map(Self.hidingLogin)
        workbenchSentence = workbench
    }

    /// The failure of an empty name of a file, which would be shown as nothing.
    static var emptyFileName: CommandFailure {
        CommandFailure(.usage, "the name of a file is empty", hint: "name a file; a variable of the shell in its place may have no value")
    }

    /// The failure of a pipe, such as that of a body or of an option, that its writer did not complete in the time of the request.
    static func latePipe(of reader: String) -> CommandFailure {
        CommandFailure(
            .network, name: "timedOut", "the pipe of \(reader) was not written and closed within the time limit",
            hint: "start its writer before, or raise the limit with --timeout or timeout: in the endpoint")
    }

    /// Creates the failure for an error of a command; nil for one of the parser of arguments.
    init?(of error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let error as NetworkError: self.init(error)
        case let problem as Diagnostic: self.init(problem)
        case let error as WorkspaceError: self.init(error)
        default: return nil
        }
    }

    /// Creates the failure of a request.
    init(_ error: NetworkError) {
        let kind: Kind =
            switch error.code {
            case .cancelled: .interrupted
            case .status, .business, .badBody, .digestMismatch, .closed, .noData, .noMoreData: .response
            case .invalidURL, .invalidMethod, .invalidHeader, .invalidOption: .usage
            case .secretNotPermitted: .file
            case .invalidTemplate, .fileUnreadable, .storage: .file
            default: .network
            }
        self.init(kind, name: error.code.rawValue, error.message, hint: error.programHint)
    }

    /// Creates the failure for a problem in a workspace, or for a value that its files need and that could not be fetched.
    init(_ problem: Diagnostic) {
        if let failure = problem.failure {
            switch failure.kind {
            case .network: self.init(.network, name: failure.name, problem.description, hint: failure.hint)
            case .response: self.init(.response, name: failure.name, problem.description, hint: failure.hint)
            }
            return
        }
        switch problem.remedy {
        // The user may have named the file, in which case no file of the workspace has a mistake.
        case .protectedFile?: self.init(.file, name: "protected", problem.message, hint: problem.remedy?.programText)
        case let remedy?: self.init(.file, name: "workspace", problem.description, hint: remedy.programText)
        case nil: self.init(.file, name: "workspace", problem.description, hint: "sortie check lists all problems of the workspace")
        }
    }

    /// Creates the failure for a workspace that cannot be read or written.
    init(_ error: WorkspaceError) {
        let hint: String? =
            switch error.code {
            case .notOwned: "to use it anyway: -w FOLDER"
            case .noWorkspace where error.file.contains("%{"): "-w names a workspace; -w of curl: --format '{status}'"
            case .noWorkspace: "name a folder that has a workspace.yaml; sortie init FOLDER creates one"
            default: error.remedy?.programText
            }
        self.init(.file, name: "workspace", error.description, hint: hint)
    }

    private static func hidingLogin(in text: String) -> String { Redaction.standard.masked(text) }

    /// Creates the failure for a path that requires `--force`.
    init(_ location: ProtectedLocation) {
        let action = location.access == .reading ? "read" : "write to"
        self.init(.file, name: "protected", location.message, hint: "to \(action) it anyway: --force")
    }

    /// An error of a command as a sentence of the workbench, with the remedy that the workbench has.
    static func sentence(_ error: any Error) -> String {
        let sentence =
            switch error {
            case let error as NetworkError: error.workbenchSentence
            case let problem as Diagnostic: problem.workbenchLine
            case let error as WorkspaceError: error.workbenchSentence
            case let failure as CommandFailure:
                failure.workbenchSentence ?? [failure.message, failure.hint].compactMap(\.self).joined(separator: "; ")
            default: "\(error)"
            }
        return hidingLogin(in: sentence)
    }

    /// The failure with its environment or file before its message, where a command uses several.
    func labelled(_ label: String?) -> CommandFailure {
        guard let label else { return self }
        return CommandFailure(kind, name: name, "\(label): \(message)", details: details, hint: hint)
    }

    /// Writes `sortie: NAME: message`, the details and the hint to stderr.
    func report(to errors: StandardError) {
        errors.line("sortie: \(name): \(Self.shortened(message))")
        for detail in details { errors.line("  \(detail)") }
        if let hint { errors.line("  \(Self.shortened(hint))") }
    }

    /// A text without the middle of arguments that would fill the terminal.
    private static func shortened(_ text: String) -> String {
        guard text.utf8.count > 4096 else { return text }
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        return words.map { $0.utf8.count > 2048 ? "\($0.prefix(200))…\($0.suffix(40))" : String($0) }.joined(separator: " ")
    }
}

extension CommandFailure.Kind {
    fileprivate var defaultName: String {
        switch self {
        case .response: "failed"
        case .usage: "usage"
        case .file: "file"
        case .network: "network"
        case .interrupted: "cancelled"
        }
    }
}
