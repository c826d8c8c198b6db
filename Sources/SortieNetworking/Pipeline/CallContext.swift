internal import SortieHTTP
internal import Synchronization

/// The values that the steps of a request's path share: the call, its plugins and cookies, and the parts of its client.
final class CallContext: Sendable {
    let core: ClientCore
    let call: Call
    let service: ServiceDeclaration
    let plugins: PluginChain
    let cookies: AttemptCookies
    /// The plugins that receive the debug log.
    private let logs: [DebugLogPlugin]
    /// The plugins that add lines to the debug log.
    private let logLines: [DebugLogLinesPlugin]
    /// The body before it was encrypted; nil where it is sent unencrypted.
    let plainBody: RequestBody?

    /// Converts the messages of gRPC; nil for another request.
    let messages: GRPCMessages?
    /// The place in the request queue; nil before the call has arrived at one.
    let place = Mutex<QueuePlace?>(nil)

    init(
        core: ClientCore, call: Call, service: ServiceDeclaration, plugins: PluginChain, cookies: AttemptCookies, plainBody: RequestBody?,
        messages: GRPCMessages?
    ) {
        (self.core, self.call, self.service, self.plugins, self.cookies) = (core, call, service, plugins, cookies)
        (self.plainBody, self.messages) = (plainBody, messages)
        logs = plugins.plugins.compactMap { $0 as? DebugLogPlugin }
        logLines = plugins.plugins.compactMap { $0 as? DebugLogLinesPlugin }
    }

    /// Adds the lines of the plugins to a block of the debug log.
    ///
    /// - Parameter hasFailed: Whether the attempt has failed, so that neither the abort nor the deadline of the call prevents the lines.
    func addLines(to record: inout DebugLogRecord, _ request: Request, _ response: Response? = nil, hasFailed: Bool = false) async {
        guard !logLines.isEmpty else { return }
        giveUpPlace()
        record.block.lines = []
        for plugin in logLines {
            let lines: @Sendable () async throws -> [ParameterPair] = { await plugin.pairs(of: request, response) }
            do {
                record.block.lines +=
                    hasFailed ? try await call.lastStage(isLimited: false, lines) : try await call.stage("the lines of the debug log", lines)
            } catch {
                // The abort or the deadline ends the call at its next step.
                return
            }
        }
    }

    /// Reports a block of the debug log.
    func log(_ record: DebugLogRecord) {
        call.report(.logged(record))
        for log in logs { log.log(record) }
    }

    /// Whether the blocks of the debug log are written or observed.
    var isLogged: Bool { call.isObserved || !logs.isEmpty }

    /// The lookup of host names for this call.
    var hosts: HostLookup { HostLookup(call: call, resolver: core.resolver) }
}

extension Call {
    /// The encryptor of a request; an abort ends the wait for its key.
    func encryptor(_ encryption: @escaping ServiceConfiguration.Encryption, of request: Request) async throws(NetworkError) -> any BodyEncryptor {
        do { return try await stage("the key of its encryption") { try await encryption(request) } } catch {
            throw error as? NetworkError ?? .cancelledByCaller
        }
    }
}

/// What one call adds to the configuration of its service.
struct CallAdditions: Sendable {
    /// The plugins after those of the client and the service.
    var plugins: [any Plugin] = []
    /// The encryptor in place of that of the service; nil for that of the service.
    var encryptor: (any BodyEncryptor)?
}
