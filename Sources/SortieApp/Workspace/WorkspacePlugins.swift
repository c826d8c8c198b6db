internal import SortieHTTP
internal import SortieNetworking
internal import WorkspaceModel

/// Creates plugins and encryptors from the files of a workspace.
struct WorkspacePlugins {
    private let workspace: Workspace
    private let live: LiveWorkspace
    private let program: ProgramContext
    /// Receives the blocks where a list has debugLog; nil in the workbench, whose log contains the blocks of every call.
    private let debugLog: DebugLogPlugin?

    init(_ workspace: Workspace, _ live: LiveWorkspace, in program: ProgramContext, debugLog: DebugLogPlugin? = nil) {
        self.workspace = workspace
        (self.live, self.program) = (live, program)
        self.debugLog = debugLog
    }

    /// The configuration of each service, by its folder.
    ///
    /// The workspace's plugins are included. A request to a URL of the command line belongs to no service and gets no token.
    var services: [String: ServiceConfiguration] {
        Dictionary(uniqueKeysWithValues: workspace.services.map { ($0.folder, configuration(of: $0)) })
    }

    private func configuration(of service: Service) -> ServiceConfiguration {
        var configuration = configuration(of: service, workspace.plugins(of: service), workspace.hooks(of: nil, in: service))
        // The endpoint as it was sent, with unsaved edits, and not the one of the files.
        configuration.variant = { request in
            guard let endpoint = request.origin?.endpoint else { return nil }
            let hasPlugins = endpoint.pluginUse.map { $0 != .none } ?? false
            guard hasPlugins || !endpoint.hooks.isEmpty else { return nil }
            return self.configuration(of: service, workspace.plugins(of: endpoint, in: service), workspace.hooks(of: endpoint, in: service))
        }
        return configuration
    }

    private func configuration(of service: Service, _ settings: [PluginSetting], _ hooks: [HookSetting]) -> ServiceConfiguration {
        var configuration = ServiceConfiguration(plugins: plugins(of: service, settings, hooks), envelope: service.envelope)
        if let texts = service.texts { configuration.options.texts = texts }
        configuration.serverSwitch = service.serverSwitch
        configuration.validatesStatus = service.validatesStatus
        configuration.tunnel = service.tunnel.map { WorkspaceTunnel($0, live, in: program) }
        for setting in settings {
            guard case .encrypt(let encrypt) = setting.kind else { continue }
            configuration.encryption = encryptor(encrypt, of: setting.location)
        }
        return configuration
    }

    private func encryptor(_ setting: PluginSetting.Encrypt, of place: SourceLocation) -> ServiceConfiguration.Encryption {
        { [live] request async throws(NetworkError) in
            try AESGCMEncryptor(key: try await live.resolve(setting.key, of: place, for: request), files: setting.files)
        }
    }

    /// The plugins and the hooks of a service in the order of their stages.
    ///
    /// The query is encrypted after the public parameters are added and before the request is signed, independent of the position of `encrypt` in
    /// the list. Hooks of `prepare` come before, so that the query that they change is encrypted and signed; all others follow.
    private func plugins(of service: Service, _ settings: [PluginSetting], _ hooks: [HookSetting]) -> [any Plugin] {
        func plugins(where isIncluded: (HookSetting) -> Bool) -> [any Plugin] { hooks.filter(isIncluded).map { HookPlugin($0, live, in: program) } }
        let parameters: [(any Plugin)?] = [publicParameters(of: service, settings)]
        let encryption: [(any Plugin)?] = [settings.compactMap(parameterEncryption).first]
        let first = parameters.compactMap { $0 } + plugins { $0.stage == .prepare } + encryption.compactMap { $0 }
        return first + settings.compactMap(plugin) + settings.compactMap(logLines) + plugins { $0.stage != .prepare }
    }

    /// The further lines of the debug log, which the log of the workbench has as well.
    private func logLines(_ setting: PluginSetting) -> (any Plugin)? {
        guard case .debugLog(true, let lines) = setting.kind, !lines.isEmpty else { return nil }
        return DebugLogLinesPlugin { [live, place = setting.location] request, _ in
            var result: [(name: String, value: String)] = []
            for line in lines where line.isEnabled {
                do throws(NetworkError) {
                    result.append((line.name, try await live.resolve(line.value, of: place, for: request)))
                } catch {
                    // A line is no reason to refuse the request.
                    result.append((line.name, "(\(error.message))"))
                }
            }
            return result
        }
    }

    private func parameterEncryption(_ setting: PluginSetting) -> (any Plugin)? {
        guard case .encrypt(let encrypt) = setting.kind, let parameter = encrypt.parameter else { return nil }
        return EncryptParametersPlugin(parameter: parameter, encryptor: encryptor(encrypt, of: setting.location))
    }

    /// The public parameters, which are added first, and the order of the others that the first signature scheme expects.
    private func publicParameters(of service: Service, _ settings: [PluginSetting]) -> (any Plugin)? {
        let parameters = workspace.publicParameters(of: service)
        let isSorted = settings.contains { setting in
            if case .sign(let sign) = setting.kind { return sign.scheme == .legacy }
            return false
        }
        guard !parameters.isEmpty || isSorted else { return nil }
        let place = SourceLocation(file: "publicParameters")
        return PublicParametersPlugin(sortsOthers: isSorted) { [live] context in
            var values: [(name: String, value: String)] = []
            for parameter in parameters {
                values.append((parameter.name, try await live.resolve(parameter.value, of: place, sentIn: context)))
            }
            return values
        }
    }

    private func plugin(_ setting: PluginSetting) -> (any Plugin)? {
        let place = setting.location
        switch setting.kind {
        case .token(let token):
            return TokenPlugin(scheme: token.scheme) { [live] context in
                var value: String?
                if let text = token.value { value = try await live.resolve(text, of: place, sentIn: context) }
                if value?.isEmpty == true { value = nil }
                guard let refresh = token.refresh else { return value.map { .fixed($0) } }
                let store = live.tokens(beginningWith: value, refresh, for: context.request)
                if !context.isDryRun { try await live.requirePermission(toSend: store, beginningWith: value, refresh, with: context.request) }
                return .store(store)
            }
        case .sign(let sign):
            return SignPlugin(parameter: sign.parameter, timestampHeader: sign.scheme == .hmac ? sign.timestampHeader : nil) { [live] context in
                let secret = try await live.resolve(sign.secret, of: place, for: context.request)
                return sign.scheme == .hmac ? HMACSigner(secret: secret) : MD5Signer(secret: secret)
            }
        case .errorFilter(let filter): return ErrorFilterPlugin(envelope: filter.envelope, distinguishes: filter.distinguishes)
        case .signals(let signals): return SignalsPlugin(loading: signals.loading, toast: signals.toast)
        case .debugLog(let isOn, _): return isOn ? debugLog : nil
        // Not a stage: bodies are encrypted before the stages of an attempt, and the query has a separate plugin.
        case .encrypt: return nil
        }
    }
}

/// Takes part in calls with the program of a hook.
struct HookPlugin: Plugin {
    private let hook: HookSetting
    private let live: LiveWorkspace
    private let program: ProgramContext

    init(_ hook: HookSetting, _ live: LiveWorkspace, in program: ProgramContext) {
        (self.program, self.hook, self.live) = (program, hook, live)
    }

    var name: String { "hook \(hook.name)" }

    func willPrepare(_ request: inout Request, in context: PluginContext) async throws {
        guard hook.stage == .willPrepare else { return }
        try await change(&request, context)
    }

    func prepare(_ request: inout Request, in context: PluginContext) async throws {
        guard hook.stage == .prepare || hook.stage == .willSend else { return }
        guard context.isAtConfiguredOrigin else {
            // A signature or a token is for the servers of the service.
            return context.decided(.hook, "\(hook.name) does not run for another origin")
        }
        try await change(&request, context)
    }

    func didReceive(_ response: Response, to request: Request, in context: PluginContext) async throws -> Recovery {
        guard hook.stage == .didReceive else { return .none }
        var input = HookInput(hook.stage, request, call: context.id, attempt: context.attempt)
        input.add(response)
        let output = try await output(for: input, context)
        if let error = output.error { throw refusal(error) }
        return output.sendAgain.map { .sendAgain($0) } ?? .none
    }

    func process(_ exchange: inout Exchange, in context: PluginContext) async throws -> Continuation {
        guard hook.stage == .process else { return .next }
        var input = HookInput(hook.stage, exchange.request, call: exchange.id, attempt: exchange.attempts.count)
        input.add(exchange.response, error: exchange.error, seconds: exchange.timing.total)
        let output: HookOutput
        do { output = try await self.output(for: input, context) } catch let failure as NetworkError where exchange.error != nil {
            // The error of the call came first and may be the reason.
            context.decided(.hook, failure.message)
            return .next
        }
        exchange.reportedChecks += output.checks
        exchange.reportedValues.merge(output.values) { $1 }
        if let error = output.error, exchange.error == nil { exchange.error = NetworkError(.business, error) }
        return .next
    }

    private func change(_ request: inout Request, _ context: PluginContext) async throws {
        let input = HookInput(hook.stage, request, call: context.id, attempt: context.attempt, isDryRun: context.isDryRun)
        let output = try await output(for: input, context)
        if let error = output.error { throw refusal(error) }
        let origin = request.url.origin
        output.apply(to: &request)
        if request.url.origin != origin { try live.requireReceivers(of: request) }
    }

    private func output(for input: HookInput, _ context: PluginContext) async throws -> HookOutput {
        let command = try await live.command(of: hook, in: context)
        let start = ContinuousClock.now
        let bytes: [UInt8]
        do {
            let output = try await program.hooks.output(of: command, for: input.line, in: program)
            bytes = output.bytes
            let milliseconds = Int((ContinuousClock.now - start) / .milliseconds(1))
            context.decided(.hook, "\(hook.name) ran at \(hook.stage.rawValue) in \(milliseconds) ms")
            for line in output.standardError.split(whereSeparator: \.isNewline).suffix(20) { context.decided(.hook, "\(hook.name): \(line)") }
        } catch let failure as HookFailure {
            let line = failure.lastLine.map { ": \($0)" } ?? ""
            throw NetworkError(
                .pluginFailed, "the hook \(hook.name) (\(hook.stage.rawValue)) \(failure.reason)\(line)",
                underlying: failure.standardError.isEmpty ? nil : failure.standardError)
        }
        do { return try HookOutput(parsing: bytes, at: hook.stage) } catch {
            let lines = String(decoding: bytes.prefix(200), as: UTF8.self).split(whereSeparator: \.isNewline)
            let start = lines.first.map { "; it wrote: \($0)" } ?? ""
            throw NetworkError(
                .pluginFailed, "the output of the hook \(hook.name) (\(hook.stage.rawValue)) cannot be used: \(error.message)\(start)",
                hint: "it must be a JSON object with \(HookOutput.members(of: hook.stage).joined(separator: ", ")), or empty")
        }
    }

    private func refusal(_ message: String) -> NetworkError {
        NetworkError(.pluginFailed, "the hook \(hook.name) (\(hook.stage.rawValue)) ended the call: \(message)")
    }
}

/// The tunnel of a service.
struct WorkspaceTunnel: ServiceTunnel {
    private let setting: TunnelSetting
    private let live: LiveWorkspace
    private let program: ProgramContext

    init(_ setting: TunnelSetting, _ live: LiveWorkspace, in program: ProgramContext) {
        (self.program, self.setting, self.live) = (program, setting, live)
    }

    var name: String { setting.name }

    private var command: TunnelCommand { TunnelCommand(setting: setting, workingFolder: live.folder) }

    var leadsToOneServer: Bool {
        if case .command = setting.program { return true }
        return false
    }

    var isRunning: Bool { program.tunnels.isRunning(command) }

    func open() async throws(NetworkError) -> (route: TunnelRoute, lines: [String]) {
        try live.requirePermission(for: setting)
        do throws(TunnelFailure) {
            let opened = try await program.tunnels.open(command, in: program)
            return (TunnelRoute(name: name, entrance: opened.entrance), opened.lines)
        } catch {
            let line = error.lastLine.map { ": \($0)" } ?? ""
            throw NetworkError(
                .cannotConnect, "the tunnel \(name) \(error.reason)\(line)", hint: error.hint, underlying: error.output.isEmpty ? nil : error.output)
        }
    }

    func takeLines() -> [String] { program.tunnels.takeLines(of: command) }

    func newLines() async -> [String] { await program.tunnels.newLines(of: command) }
}
