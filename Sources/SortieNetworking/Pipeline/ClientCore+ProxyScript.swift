internal import Glibc
internal import SortieBase
internal import SortieHTTP

/// Identifies a script that chooses proxies.
struct ProxyScriptKey: Hashable {
    let location: ProxyScript.Location
    /// The text of a file, so that a changed one is read again; empty for a script that is fetched.
    let text: String
}

extension ClientCore {
    /// The most names that are looked up for one decision of a script.
    private static let mostLookups = 32
    private static let hint = "check pac: of proxy:, or name the proxy with url:"

    /// The routes to the server of a request that a script chooses, in their order; none in a dry run where a name would have to be looked up.
    ///
    /// - Parameters:
    ///   - isForeseen: Whether no name is looked up; the script is fetched all the same.
    ///   - willWait: Called before a script is waited for that is not read yet.
    /// - Throws: `proxyFailed` for a script that cannot be fetched or evaluated, with the line that is not evaluated.
    func routes(
        of script: ProxyScript, for request: Request, call: Call, isForeseen: Bool = false, willWait: @escaping @Sendable () -> Void = {}
    ) async throws(NetworkError) -> [ProxyRoute] {
        let url = request.url
        if script.exceptions.contain(url) { return [ProxyRoute(proxy: nil, description: "DIRECT (\(url.host) is an exception, except:)")] }
        let program = try await parsed(script, like: request, call, willWait)
        var surroundings = ProxyScriptSurroundings.ofThisMachine
        for _ in 0..<Self.mostLookups {
            do throws(JavaScriptFailure) { return try program.routes(for: url, surroundings) } catch {
                switch error {
                case .lookup(let host):
                    if isForeseen {
                        guard let known = resolver.foreseen(host, server: request.options.resolution.server) else {
                            call.decided(
                                .address, "the proxy is not chosen, because \(script.location) looks up \(host), and a dry run resolves no host")
                            return []
                        }
                        surroundings.addresses[host] = known.addresses
                    } else {
                        surroundings.addresses[host] = try await addresses(of: host, for: request, call)
                    }
                case .problem(let problem): throw Self.notEvaluated(script, problem.description)
                case .unsupported(let message): throw Self.notEvaluated(script, message)
                }
            }
        }
        throw Self.notEvaluated(script, "it looks up more than \(Self.mostLookups) hosts")
    }

    private static func notEvaluated(_ script: ProxyScript, _ reason: String) -> NetworkError {
        let place = reason.hasPrefix(script.location.description) ? reason : "\(script.location): \(reason)"
        return NetworkError(.proxyFailed, "the script that chooses the proxy was not evaluated: \(place)", hint: hint)
    }

    /// The addresses of a host that a script asks for; none where it is not found.
    private func addresses(of host: String, for request: Request, _ call: Call) async throws(NetworkError) -> [IPAddress] {
        let hosts = HostLookup(call: call, resolver: resolver)
        try hosts.checkName(host, of: request)
        do throws(NetworkError) { return try await hosts.find(host, for: request).addresses } catch {
            guard error.code == .hostNotFound, call.abortReason == nil else { throw error }
            return []
        }
    }

    private func parsed(
        _ script: ProxyScript, like request: Request, _ call: Call, _ willWait: @escaping @Sendable () -> Void
    ) async throws(NetworkError) -> JavaScriptScript {
        let location = script.location
        let text: String
        switch location {
        case .url: text = ""
        case .file(let path):
            let bytes: [UInt8]
            do {
                bytes = try await BlockingExecutor.shared.run { () throws(WholeFile.Failure) in
                    try WholeFile.bytes(at: path, limit: ProxyScript.sizeLimit)
                }
            } catch { throw NetworkError(error, reading: path) }
            text = String(decoding: bytes, as: UTF8.self)
        }
        do {
            return try await call.stage("the proxy script \(location)") { [proxyScripts, self] in
                // The call keeps the client until the script is read.
                try await proxyScripts.value(ProxyScriptKey(location: location, text: text), willWait: willWait) { [self] () throws(NetworkError) in
                    var text = text
                    if case .url(let url) = location { text = try await self.fetched(url, like: request) }
                    do throws(Diagnostic) { return try JavaScriptScript(text, file: location.description) } catch {
                        throw Self.notEvaluated(script, error.description)
                    }
                }.value
            }
        } catch { throw error as? NetworkError ?? .cancelledByCaller }
    }

    /// Fetches a script without a proxy, cookies and credentials; the server is asked with the validators of the script that was fetched before.
    private func fetched(_ url: HTTPURL, like request: Request) async throws(NetworkError) -> String {
        var own = Request(url: url)
        own.service = "proxy script \(url.origin)"
        own.options.proxy = nil
        own.options.timeouts = request.options.timeouts
        own.options.trust.certificateAuthorityFile = request.options.trust.certificateAuthorityFile
        own.options.resolution = request.options.resolution
        own.options.maximumBodyBytes = Int64(ProxyScript.sizeLimit)
        own.options.usesCookies = false
        own.options.credential = .none
        own.options.bypassesPlugins = true
        own.options.inheritsPlugins = false
        own.options.cacheLifetime = .seconds(86_400)
        own.options.cachePolicy = .revalidate
        let exchange = await run(register(RequestIDs.ofTokenRequests.next(), own, isRecorded: false, observer: nil))
        func failed(_ reason: String, _ error: NetworkError? = nil) -> NetworkError {
            NetworkError(
                .proxyFailed, "the script that chooses the proxy was not fetched from \(url): \(reason)", hint: Self.hint,
                underlying: error?.underlying)
        }
        if let error = exchange.error { throw failed(error.message, error) }
        guard let response = exchange.response else { throw failed("the server sent no response") }
        guard response.status == 200 else { throw failed("the server responded with \(response.status)") }
        return String(decoding: response.body.bytes(in: 0..<response.body.count), as: UTF8.self)
    }
}

extension ProxyScriptSurroundings {
    /// Those of now; the own address is the one from which the internet is reached, for which nothing is sent.
    fileprivate static var ofThisMachine: ProxyScriptSurroundings {
        let address = IPAddress("8.8.8.8").flatMap(Reachability.localAddress(towards:))?.description ?? "127.0.0.1"
        var now = Glibc.time(nil)
        var local = tm()
        localtime_r(&now, &local)
        return ProxyScriptSurroundings(ownAddress: address, time: Double(now), utcOffset: local.tm_gmtoff)
    }
}
