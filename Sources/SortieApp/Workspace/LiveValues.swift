internal import Foundation
internal import SortieBase
internal import SortieHTTP
internal import SortieNetworking
internal import SortieStorage
internal import WorkspaceModel

/// The external values of templates: clock, random numbers, environment, files, secrets, user input.
struct LiveValues: Sendable {
    /// The workspace's folder, to which `{{$file PATH}}` is relative, except for `~/`.
    private let folder: String
    /// The sources of secrets.
    private let secrets: [String: SecretSource]
    /// How long the output of the command of a secret is used.
    private let lifetimes: [String: Duration]
    /// Whether the user can be prompted.
    private let mayAsk: Bool
    /// The permissions of the workspace on this machine, which are compared before templates are resolved and enforced here.
    let permission: WorkspacePermission
    /// Receives each value that must be masked: those of secrets, environment variables and files, and what the user typed at a prompt.
    let used: @Sendable (String) -> Void
    /// What the user entered in advance for prompts, by label.
    var promptValues: [String: String] = [:]
    /// Whether bodies are recorded as snapshots instead of compared.
    var recordsSnapshots = false
    /// Whether violations of the contract fail calls also where the service only warns about them.
    var failsByContract = false
    /// Sends the endpoints whose captured values templates use; nil where they are steps of a run.
    var earlier: EarlierContext?
    /// The absolute paths of the files that the user named on the command line.
    var typedFiles: Set<String> = []
    /// The limit of the request that the user gave, which replaces that of the endpoint.
    var timeLimit: Duration?
    /// The capabilities that the user typed into the current endpoint; nil outside of one.
    private var typed: TypedCapabilities?
    /// What was fetched for the templates that are being resolved.
    private var inputs = TemplateInputs()

    /// Creates the values for the templates of a workspace.
    init(_ workspace: Workspace, mayAsk: Bool, permission: WorkspacePermission, used: @escaping @Sendable (String) -> Void) {
        (folder, secrets, lifetimes) = (workspace.folder, workspace.secrets, workspace.secretLifetimes)
        (self.mayAsk, self.permission, self.used) = (mayAsk, permission, used)
    }

    /// The scope of an endpoint's templates with these values.
    func scope(of endpoint: Endpoint, builder: RequestBuilder) -> TemplateScope {
        var values = self
        let isTransfer = endpoint.kind == .download || endpoint.kind == .upload
        inputs.note(timeLimit: timeLimit ?? builder.timeouts(of: endpoint).total(ofTransfer: isTransfer))
        let typed = permission.typed(in: endpoint, builder: builder, files: typedFiles)
        values.typed = typed
        // A variable of the command line also supplies the value of a prompt with its name.
        for layer in builder.overrides.reversed() { values.promptValues.merge(layer.mapValues(Template.unquoting)) { $1 } }
        values.promptValues.merge(endpoint.promptValues) { $1 }
        var scope = builder.scope(of: endpoint, secret: values.secret, builtin: values.builtin)
        scope.fileText = values.fileText
        if earlier != nil {
            let workspace = builder.workspace
            scope.earlier = { [inputs] name throws(TemplateError) in
                try workspace.earlierValue(named: name, for: endpoint).map { value throws(TemplateError) in try inputs.value(of: .earlier(value)) }
            }
        }
        if recordsSnapshots { scope.recordedSnapshots = folder }
        scope.authorize = { [permission] request throws(TemplateError) in try permission.require(request, typed: typed) }
        return scope
    }

    @Sendable private func builtin(_ name: String, _ argument: String) throws(TemplateError) -> String? {
        if ["uuid", "timestamp", "date", "random"].contains(name) { inputs.noteDynamic() }
        switch name {
        case "uuid": return UUID().uuidString.lowercased()
        case "timestamp": return String(Int(permission.program.now().timeIntervalSince1970))
        case "date": return DateTemplate.text(permission.program.now(), format: argument)
        case "random": return String(Int.random(in: 0..<max(1, Int(argument) ?? 1_000_000)))
        case "env":
            try require(permission.permits(Capability(.environment, argument), typed: typed), "read the environment variable \(argument)")
            return hiding(permission.program.environment[argument].map(FileText.value))
        case "file": return try file(argument)
        default:
            guard let question = PromptQuestion(name, argument) else { return nil }
            return question.isSecret ? hiding(try value(of: question)) : try value(of: question)
        }
    }

    private func file(_ path: String) throws(TemplateError) -> String {
        let place = FilePath.joining(folder, permission.program.folders.expanding(path))
        try require(permission.permitsReading(place, typed: typed), "read the file \(place)")
        if let protected = permission.protected(place, .reading) {
            throw TemplateError("{{$file \(path)}}: \(protected.message)", remedy: .protectedFile)
        }
        let text = try inputs.value(of: .file(place, argument: path))
        for part in HiddenFileText.parts(of: text) { used(part) }
        return text
    }

    /// The text of a file that a check of the response needs; it is not a secret.
    @Sendable private func fileText(_ path: String) throws(TemplateError) -> String {
        let place = FilePath.joining(folder, path)
        try require(permission.permitsReading(place, typed: typed), "read the file \(place)")
        if let protected = permission.protected(place, .reading) {
            throw TemplateError("\(path): \(protected.message)", remedy: .protectedFile)
        }
        return try inputs.value(of: .text(place))
    }

    /// Masks a value from outside the workspace wherever it is displayed or stored.
    private func hiding(_ value: String?) -> String? {
        if let value { used(value) }
        return value
    }

    private func value(of question: PromptQuestion) throws(TemplateError) -> String {
        if let value = promptValues[question.label] { return value }
        guard mayAsk, permission.program.terminal.isPossible else {
            guard question.suggestion.isEmpty else { return question.suggestion }
            throw TemplateError("“\(question.label)” has to be entered before the request is sent", remedy: .promptedValue(label: question.label))
        }
        return try inputs.value(of: .prompt(question))
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
            guard let value = permission.program.environment[variable] else {
                throw TemplateError("the secret \(name) comes from the environment variable \(variable), which is not set")
            }
            return FileText.value(value)
        case .command(let command):
            let source = SecretSource.command(command)
            let digests = ProgramDigests.digests(of: source.fileNames, in: folder)
            let isPermitted = permission.permits(Capability(source, digests: digests))
            try require(isPermitted, "run the command of the secret \(name), or a file that it names has changed since")
            if let refusal = ProgramDigests.refusal(of: digests) {
                throw TemplateError("the command of the secret \(name) is not run, because \(refusal.reason); \(refusal.hint)")
            }
            return try inputs.value(of: .secret(name, command: command))
        case .stored(let stored):
            try require(permission.permits(Capability(.storedSecret, stored)), "read the stored secret \(stored)")
            return try inputs.value(of: .stored(name, stored))
        case .file(let path, let variable):
            try require(permission.permitsReading(path), "read the file \(path)")
            if let protected = permission.protected(path, .reading) {
                throw TemplateError("envFiles: \(protected.message)", remedy: .protectedFile)
            }
            return try inputs.value(of: .variable(name, path: path, variable: variable))
        }
    }

    private func require(_ isPermitted: Bool, _ action: String) throws(TemplateError) {
        guard !isPermitted else { return }
        throw TemplateError("the workspace is not permitted to \(action)", remedy: permission.remedy)
    }
}

// MARK: Waiting

extension LiveValues {
    /// Does work that resolves templates with these values.
    ///
    /// No thread waits for a command, a file or the user. Where a template needs one, the work is done again when its value is there, so it must have no
    /// side effects.
    ///
    /// - Parameters:
    ///   - inputs: the values that were fetched before, and those that are fetched.
    ///   - cancellation: ends commands that run and questions; the templates that need them throw then. Cancelling the task does the same.
    func resolve<Value: Sendable, Failure: Error>(
        _ inputs: TemplateInputs = TemplateInputs(), cancelledBy cancellation: Cancellation = Cancellation(),
        _ work: @Sendable (LiveValues) throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        var values = self
        values.inputs = inputs
        while true {
            let result = Result { () throws(Failure) in try work(values) }
            guard let missing = inputs.endPass() else { return try result.get() }
            let value = await withTaskCancellationHandler {
                await fetch(missing, within: inputs.timeLimit, cancellation)
            } onCancel: {
                cancellation.cancel()
            }
            inputs.add(value, for: missing)
        }
    }

    private func fetch(
        _ input: TemplateInputs.Input, within limit: Duration?, _ cancellation: Cancellation
    ) async -> Result<String, TemplateError> {
        do throws(TemplateError) {
            switch input {
            case .secret(let name, let command):
                return .success(try await output(of: command, secret: name, within: limit, cancellation))
            case .stored(let name, let stored):
                return .success(try await BlockingExecutor.shared.run { () throws(TemplateError) in try value(stored: stored, for: name) })
            case .variable(let name, let path, let variable):
                return .success(try await BlockingExecutor.shared.run { () throws(TemplateError) in try value(of: variable, in: path, for: name) })
            case .file(let place, let argument):
                return .success(try await BlockingExecutor.shared.run { () throws(TemplateError) in try read(place, argument) })
            case .text(let place):
                return .success(try await BlockingExecutor.shared.run { () throws(TemplateError) in try CheckFile.text(at: place) })
            case .earlier(let wanted):
                guard let earlier else { throw TemplateError("\(wanted.target) is no step before this one") }
                return await earlier.value(wanted, self, cancelledBy: cancellation)
            case .prompt(let question):
                return .success(try await TerminalPrompt.value(of: question, program: permission.program, cancelledBy: cancellation))
            }
        } catch {
            return .failure(error)
        }
    }

    /// What the command of a secret prints; it is ended at the limit of the request, which is not sent before.
    private func output(
        of command: String, secret: String, within limit: Duration?, _ cancellation: Cancellation
    ) async throws(TemplateError) -> String {
        let end = Cancellation()
        cancellation.whenCancelled { end.cancel() }
        let timer = limit.map { limit in
            Task(executorPreference: BlockingExecutor.shared) {
                try await Task.sleep(for: limit)
                end.cancel()
            }
        }
        defer { timer?.cancel() }
        let outcome = await permission.program.secretCommands.outcome(
            of: command, in: folder, mayAsk: mayAsk, program: permission.program, lifetime: lifetimes[secret], cancelledBy: end)
        if case .cancelled = outcome, let limit, end.isCancelled, !cancellation.isCancelled {
            let message = "the command of the secret \(secret) did not end within \(DurationText.text(limit))"
            throw TemplateError(message, failure: ValueFailure(NetworkError(.timedOut, message, remedy: .totalTimeout)))
        }
        return try text(of: outcome, secret: secret)
    }

    private func value(stored: String, for name: String) throws(TemplateError) -> String {
        let value: String?
        do { value = try SecretStore(stateFolder: permission.program.folders.state).value(of: stored) } catch {
            throw TemplateError("the secret \(name) cannot be read: \(error)")
        }
        guard let value else {
            throw TemplateError(
                "the secret \(name) is the stored secret \(stored), which is not on this machine", remedy: .storedSecret(name: name, stored: stored))
        }
        return value
    }

    /// The largest file that becomes a value, in bytes.
    private static var largestFile: Int { 64 << 20 }

    private func value(of variable: String, in path: String, for name: String) throws(TemplateError) -> String {
        let file: EnvironmentFile
        do { file = try EnvironmentFile(try WorkspaceFile.bytes(at: path, limit: EnvironmentFile.limit), file: path) } catch {
            throw TemplateError("the secret \(name) cannot be read: \(error)")
        }
        guard let value = file.variables.first(where: { $0.name == variable })?.value, !value.isEmpty else {
            throw TemplateError("the secret \(name) comes from the variable \(variable) of \(path), which has no value there")
        }
        return value
    }

    private func read(_ place: String, _ argument: String) throws(TemplateError) -> String {
        do throws(TemplateError) { return FileText.value(try CheckFile.text(at: place, limit: Self.largestFile)) } catch {
            throw TemplateError("{{$file \(argument)}}: \(error.message)")
        }
    }

    private func text(of outcome: SecretCommand.Outcome, secret: String) throws(TemplateError) -> String {
        switch outcome {
        case .printed(let bytes):
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw TemplateError("the command of the secret \(secret) printed something that is not UTF-8 text")
            }
            let value = FileText.value(text)
            // A program such as `pass` succeeds for an entry without a value, which is not a credential.
            guard !value.isEmpty else { throw TemplateError("the secret \(secret) comes from its command, which printed nothing") }
            return value
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
