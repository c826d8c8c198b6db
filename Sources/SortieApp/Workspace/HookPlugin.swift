internal import SortieHTTP
internal import SortieNetworking
internal import WorkspaceModel

/// Takes part in calls with the program of a hook.
struct HookPlugin: Plugin {
    private let hook: HookSetting
    private let live: LiveWorkspace
    private let program: ProgramContext

    init(_ hook: HookSetting, _ live: LiveWorkspace, in program: ProgramContext) {
        self.program = program
        self.hook = hook
        self.live = live
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
