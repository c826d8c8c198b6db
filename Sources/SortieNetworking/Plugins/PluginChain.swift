internal import SortieHTTP

/// The plugins of one call, in order.
struct PluginChain {
    let plugins: [any Plugin]
    /// Whether the call has none, so that no stage has to be run.
    var isEmpty: Bool { plugins.isEmpty }
    var context: PluginContext
    /// Whether the request is sent unchanged: the stages that change it do not run.
    let bypassesPlugins: Bool

    func willPrepare(_ request: inout Request) async throws(NetworkError) {
        request = try await changed(request) { plugin, request, context in try await plugin.willPrepare(&request, in: context) }
    }

    /// Identifies the credentials that the plugins add.
    func identity() async throws(NetworkError) -> [String] {
        var identity: [String] = []
        for plugin in plugins where !bypassesPlugins {
            do {
                let name = try await context.stage(Self.title(of: plugin)) { [context] in try await plugin.identity(in: context) }
                if let name { identity.append(name) }
            } catch { throw failure(of: plugin, error) }
        }
        return identity
    }

    /// Runs the stages before an attempt on a copy, so that the next attempt starts with the original request.
    func prepared(_ request: Request) async throws(NetworkError) -> Request {
        let request = try await changed(request) { plugin, request, context in try await plugin.prepare(&request, in: context) }
        guard !context.isDryRun, !plugins.isEmpty else { return request }
        do {
            try await context.stage(plugins.map(Self.title).joined(separator: ", ")) { [plugins, context] in
                for plugin in plugins { await plugin.willSend(request, in: context) }
            }
        } catch {
            // The stage itself throws no error, so this is a cancellation or the end of the time limit.
            throw error as? NetworkError ?? .cancelledByCaller
        }
        return request
    }

    /// The request after a stage of each plugin.
    private func changed(
        _ request: Request, by stage: @escaping @Sendable (any Plugin, inout Request, PluginContext) async throws -> Void
    ) async throws(NetworkError) -> Request {
        guard !bypassesPlugins else { return request }
        var request = request
        for plugin in plugins {
            do {
                request = try await context.stage(Self.title(of: plugin)) { [context, request] in
                    var request = request
                    try await stage(plugin, &request, context)
                    return request
                }
            } catch { throw failure(of: plugin, error) }
        }
        return request
    }

    /// The first reason to send the request again; `none` without one.
    func didReceive(_ response: Response, to request: Request) async throws(NetworkError) -> Recovery {
        for plugin in plugins {
            do {
                let recovery = try await context.stage(Self.title(of: plugin)) { [context] in
                    try await plugin.didReceive(response, to: request, in: context)
                }
                // An unchanged request would get the same response.
                if recovery != .none, !bypassesPlugins { return recovery }
            } catch { throw failure(of: plugin, error) }
        }
        return .none
    }

    /// Reports a transport error to every plugin; the call does not wait for one that takes too long.
    func didFail(_ error: NetworkError, to request: Request) async {
        guard error.errorClass == .transport else { return }
        do {
            try await context.lastStage(isLimited: false) { [plugins, context] in
                for plugin in plugins { await plugin.didFail(error, to: request, in: context) }
            }
        } catch {
            // The error of the attempt remains the error of the call.
        }
    }

    /// Calls every plugin, also after a failure; an error of a plugin becomes the error of the call.
    @inline(never)
    func process(_ exchange: inout Exchange) async {
        for plugin in plugins {
            let hasFailed = exchange.error != nil
            let work: @Sendable () async throws -> (Exchange, Continuation) = { [context, exchange] in
                var exchange = exchange
                let continuation = try await plugin.process(&exchange, in: context)
                return (exchange, continuation)
            }
            do {
                let continuation: Continuation
                (exchange, continuation) =
                    hasFailed
                    ? try await context.lastStage(isLimited: false, work) : try await context.stage(Self.title(of: plugin), work)
                guard continuation == .next else { return }
            } catch {
                // The error of the call came first, and is the reason where a plugin gets no time after it.
                if hasFailed, error is CancellationError { continue }
                exchange.error = failure(of: plugin, error)
            }
        }
    }

    /// Calls every plugin; the call does not wait for one that takes too long.
    @inline(never)
    func didFinish(_ exchange: Exchange) async {
        guard !plugins.isEmpty else { return }
        do {
            try await context.lastStage(isLimited: exchange.error == nil) { [plugins, context] in
                for plugin in plugins { await plugin.didFinish(exchange, in: context) }
            }
        } catch {
            // The result of the call does not change any more.
        }
    }

    /// The plugin as it is named in errors.
    @Sendable private static func title(of plugin: any Plugin) -> String { "the plugin \(plugin.name)" }

    private func failure(of plugin: any Plugin, _ error: any Error) -> NetworkError {
        if let error = error as? NetworkError { return error }
        if error is CancellationError { return .cancelledByCaller }
        return NetworkError(.pluginFailed, "\(Self.title(of: plugin)) failed: \(error.wordsInMessage)", cause: error)
    }
}
