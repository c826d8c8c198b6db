internal import Foundation
internal import Model
internal import Storage

/// The external values of templates: clock, random numbers, environment, files, secrets, user input.
struct LiveValues: Sendable {
    /// The workspace's folder, to which `{{$file PATH}}` is relative.
    private let folder: String
    /// The sources of secrets.
    private let secrets: [String: SecretSource]
    /// Whether the user can be prompted.
    private let mayAsk: Bool
    /// The permissions of the workspace on this machine, which are compared before templates are resolved and enforced here.
    let permission: WorkspacePermission
    /// Receives each value that must be masked: those of secrets, environment variables and files, and what the user typed at a prompt.
    let used: @Sendable (String) -> Void
    /// The capabilities that the user typed into the current endpoint; nil outside of one.
    private var typed: TypedCapabilities?
    /// Ends the commands and prompts that templates wait for.
    var cancellation = Cancellation()

    /// Creates the values for the templates of a workspace.
    init(_ workspace: Workspace, mayAsk: Bool, permission: WorkspacePermission, used: @escaping @Sendable (String) -> Void) {
        (folder, secrets) = (workspace.folder, workspace.secrets)
        (self.mayAsk, self.permission, self.used) = (mayAsk, permission, used)
    }

    /// The scope of an endpoint's templates with these values.
    func scope(of endpoint: Endpoint, plan: RequestPlan) -> TemplateScope {
        var values = self
        let typed = permission.typed(in: endpoint, plan: plan)
        values.typed = typed
        var scope = plan.scope(of: endpoint, secret: values.secret, builtin: values.builtin)
        scope.authorize = { [permission] request throws(TemplateError) in try permission.requireReceivers(of: request, typed: typed) }
        return scope
    }

    @Sendable private func builtin(_ name: String, _ argument: String) throws(TemplateError) -> String? {
        switch name {
        case "uuid": return UUID().uuidString.lowercased()
        case "timestamp": return String(Int(Date().timeIntervalSince1970))
        case "date": return LiveValues.date(format: argument)
        case "random": return try LiveValues.random(below: argument)
        case "env":
            try require(permission.permits(Capability(.environment, argument), typed: typed), "read the environment variable \(argument)")
            return hiding(ProcessInfo.processInfo.environment[argument])
        case "file": return try file(argument)
        case "prompt": return hiding(try prompt(argument))
        default: return nil
        }
    }

    private static func date(format: String) -> String {
        guard !format.isEmpty else { return Date().formatted(.iso8601) }
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.dateFormat = format
        return formatter.string(from: Date())
    }

    private static func random(below text: String) throws(TemplateError) -> String {
        guard !text.isEmpty else { return String(Int.random(in: 0..<1_000_000)) }
        guard let bound = Int(text), bound > 0 else { throw TemplateError("{{$random \(text)}} needs a whole number above 0") }
        return String(Int.random(in: 0..<bound))
    }

    private func file(_ path: String) throws(TemplateError) -> String {
        let place = FilePath.joining(folder, path)
        try require(permission.permitsReading(place, typed: typed), "read the file \(place)")
        if let protected = permission.protected(place, .reading) {
            throw TemplateError("{{$file \(path)}}: \(protected.message); the commands read it with --force")
        }
        let text: String
        do { text = try String(contentsOfFile: place, encoding: .utf8) } catch {
            throw TemplateError("{{$file \(path)}}: \(place) cannot be read as text")
        }
        for part in HiddenFileText.parts(of: text) { used(part) }
        return text
    }

    /// Masks a value from outside the workspace wherever it is displayed or stored.
    private func hiding(_ value: String?) -> String? {
        if let value { used(value) }
        return value
    }

    private func prompt(_ label: String) throws(TemplateError) -> String {
        guard mayAsk, isatty(STDIN_FILENO) == 1 else {
            throw TemplateError(
                "{{$prompt \(label)}} needs input, but there is no terminal; use a variable and --var instead")
        }
        StandardError.prompt("\(label): ")
        guard cancellation.waitForInput(on: STDIN_FILENO) else { throw TemplateError("{{$prompt \(label)}} was cancelled") }
        guard let line = readLine() else { throw TemplateError("{{$prompt \(label)}} got no input") }
        return line
    }

    @Sendable private func secret(_ name: String) throws(TemplateError) -> String? {
        let value = try value(ofSecret: name)
        if let value { used(value) }
        return value
    }

    private func value(ofSecret name: String) throws(TemplateError) -> String? {
        switch secrets[name] {
        case nil: return nil
        case .environment(let variable):
            try require(permission.permits(Capability(.environment, variable)), "read the environment variable \(variable)")
            guard let value = ProcessInfo.processInfo.environment[variable] else {
                throw TemplateError("the secret \(name) comes from the environment variable \(variable), which is not set")
            }
            return value
        case .command(let command):
            try require(permission.permits(Capability(.command, command)), "run the command of the secret \(name)")
            return try output(of: command, secret: name)
        }
    }

    private func require(_ isPermitted: Bool, _ action: String) throws(TemplateError) {
        guard !isPermitted else { return }
        throw TemplateError("the workspace is not permitted to \(action); \(permission.remedy) permits it")
    }

    private func output(of command: String, secret: String) throws(TemplateError) -> String {
        let outcome = SecretCommands.shared.outcome(of: command, mayAsk: mayAsk, cancelledBy: cancellation)
        switch outcome {
        case .printed(let bytes):
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw TemplateError("the command of the secret \(secret) printed something that is not UTF-8 text")
            }
            return text.hasSuffix("\n") ? String(text.dropLast()) : text
        case .failed(let status, let line):
            let reason = line.isEmpty ? "" : ": \(line)"
            throw TemplateError("the command of the secret \(secret) failed with status \(status)\(reason)")
        case .tooLong:
            throw TemplateError("the command of the secret \(secret) printed more than \(ByteCount(Int64(SecretCommand.limit)).text)")
        case .notStarted(let reason): throw TemplateError("the command of the secret \(secret) cannot be run: \(reason)")
        case .cancelled: throw TemplateError("the command of the secret \(secret) was cancelled")
        }
    }
}

extension LiveValues {
    /// Whether a template may have to wait for a command or for the user.
    private var mayWait: Bool {
        if mayAsk, Self.inputIsTerminal { return true }
        return secrets.values.contains { source in
            if case .command = source { true } else { false }
        }
    }

    private static let inputIsTerminal = isatty(STDIN_FILENO) == 1

    /// Performs work that resolves templates with these values: directly where no template can wait, else on a thread that may block.
    ///
    /// - Parameter cancellation: ends running commands and prompts; the templates that need them throw. Cancelling the task has the same effect.
    func resolve<Value: Sendable, Failure: Error>(
        cancelledBy cancellation: Cancellation = Cancellation(), _ work: @escaping @Sendable (LiveValues) throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        guard mayWait else { return try work(self) }
        var values = self
        values.cancellation = cancellation
        let result: Result<Value, Failure> = await withTaskCancellationHandler { [values] in
            await BlockingWork.shared.run { Result { () throws(Failure) in try work(values) } }
        } onCancel: {
            cancellation.cancel()
        }
        return try result.get()
    }
}
