internal import SortieHTTP

/// Finds the proxy of a request: removes it where the host is an exception, and looks up its address where it is given by name.
///
/// libcurl must not look the name up, because that would block the engine (`EngineFacts.md`, headline 3).
struct ProxySelection<Next: RequestStep>: RequestStep {
    let context: CallContext
    let next: Next

    func send(_ routed: RoutedRequest, _ exchange: inout Exchange) async throws(NetworkError) {
        guard routed.tunnel == nil, routed.request.options.unixSocket == nil else { return try await next.send(routed, &exchange) }
        if let script = routed.request.options.decidingProxyScript { return try await send(routed, by: script, &exchange) }
        var routed = routed
        let choice = try routed.request.chooseProxy(of: context.call)
        do throws(NetworkError) { try await send(routed, through: choice.proxy, &exchange) } catch {
            throw error.naming(choice, for: routed.request.url)
        }
    }

    private func send(_ routed: RoutedRequest, through proxy: Proxy?, _ exchange: inout Exchange) async throws(NetworkError) {
        var routed = routed
        if let proxy {
            routed.proxyAddress = try await address(of: proxy, for: routed.request)
            if proxy.authentication == .negotiate, proxy.isHTTP {
                let ticket = try await context.ticket(for: proxy.hostForLookup)
                routed.proxyTicket = ticket
                routed.request.secrets.values.insert(ticket)
            }
        }
        try await next.send(routed, &exchange)
    }

    /// Sends through the first route that a script names, and through the next one where no connection was made.
    private func send(_ routed: RoutedRequest, by script: ProxyScript, _ exchange: inout Exchange) async throws(NetworkError) {
        let call = context.call
        let routes = try await context.core.routes(of: script, for: routed.request, call: call) { [context] in
            // The request for the script may need the place.
            context.giveUpPlace()
        }
        for (index, route) in routes.enumerated() {
            var routed = routed
            try routed.request.take(route, of: script, call)
            do throws(NetworkError) { return try await send(routed, through: routed.request.options.proxy, &exchange) } catch {
                let isUnreached = error.blamesAddress || error.code == .proxyFailed && [.runningProxy, .proxySetting].contains(error.remedy)
                guard index + 1 < routes.count, isUnreached, call.abortReason == nil else { throw error }
                call.decided(.address, "\(route) failed (\(error.code.rawValue)), trying \(routes[index + 1])")
            }
        }
    }

    /// The address of a proxy that is given by name; nil for a numeric one, and where a transport performs the attempt.
    private func address(of proxy: Proxy, for request: Request) async throws(NetworkError) -> IPAddress? {
        guard IPAddress(proxy.hostForLookup) == nil, context.call.usesEngine else { return nil }
        try context.hosts.checkName(proxy.hostForLookup, of: request)
        do throws(NetworkError) {
            return try await context.hosts.find(proxy.hostForLookup, for: request).addresses.first
        } catch {
            throw NetworkError(
                .proxyFailed, "the proxy \(proxy) was not found: \(error.message)", remedy: .proxySetting,
                underlying: error.underlying)
        }
    }
}

extension Request {
    /// Sets the proxy of a route that a script chose, and reports the decision.
    mutating func take(_ route: ProxyRoute, of script: ProxyScript, _ call: Call) throws(NetworkError) {
        call.decided(.address, "\(route) by \(script.location)")
        options.proxy = script.proxy(of: route)
        if let proxy = options.proxy { try RequestCheck.check(proxy, beside: options.trust) }
        try RequestCheck.checkSecrets(self)
    }

    /// Sets the proxy for the URL of the request, and reports the decision.
    ///
    /// - Throws: `invalidOption` for a variable of the environment that is no proxy, and for a proxy that the other options exclude.
    mutating func chooseProxy(of call: Call) throws(NetworkError) -> ProxyChoice {
        let choice: ProxyChoice
        do throws(ProxyProblem) { choice = try ProxyChoice(options, for: url) } catch {
            throw NetworkError(.invalidOption, error.message, hint: "write http://HOST:PORT into the variable, or remove it from the environment")
        }
        if let decision = choice.decision { call.decided(.address, decision) }
        guard choice.proxy != options.proxy else { return choice }
        options.proxy = choice.proxy
        if let proxy = options.proxy { try RequestCheck.check(proxy, beside: options.trust) }
        try RequestCheck.checkSecrets(self)
        return choice
    }
}

extension NetworkError {
    /// The error with a hint at the proxy of the environment, where it concerns the connection to it, or one that was made without it.
    fileprivate func naming(_ choice: ProxyChoice, for url: HTTPURL) -> NetworkError {
        guard let variable = choice.variable else { return self }
        var error = self
        if let proxy = choice.proxy {
            let isAboutProxy = [.proxySetting, .httpProxySetting, .runningProxy, .connectTimeout].contains(remedy)
            if proxy.source == variable, isAboutProxy { error.remedy = .environmentProxy(variable) }
        } else if blamesAddress || code == .hostNotFound, !url.isLoopback {
            error.remedy = .unusedEnvironmentProxy(variable)
        }
        return error
    }

    /// A proxy that opened no tunnel.
    ///
    /// - Parameters:
    ///   - status: The status of the response to `CONNECT`; 0 without one.
    ///   - words: The message of libcurl.
    static func tunnelRefused(_ request: TransferRequest, status: Int, words: String) -> NetworkError {
        let proxy = request.options.proxy?.description ?? ""
        guard status >= 100 else {
            return NetworkError(
                .proxyFailed, "the proxy \(proxy) did not send a valid HTTP response to CONNECT \(request.url.authority)",
                remedy: .httpProxySetting, underlying: words)
        }
        let hint =
            status == 407
            ? (request.options.proxy?.credentials == nil ? "it requires a login: write it before the host in its URL" : "check the login in its URL")
                + ", or choose another authentication of the proxy, such as ntlm"
            : "check that it permits tunnels to \(request.url.authority)"
        return NetworkError(
            .proxyFailed, "the proxy \(proxy) opens no tunnel to \(request.url.authority): it responded with \(status)",
            hint: hint,
            underlying: words)
    }
}
