/// The proxies of the process environment, by the rules of curl.
///
/// `http_proxy` or `HTTP_PROXY` is for `http` URLs, `https_proxy` or `HTTPS_PROXY` for `https` URLs, and `all_proxy` or `ALL_PROXY` for URLs without one of
/// these variables. `no_proxy` or `NO_PROXY` lists the hosts that are reached directly. The lower-case variable takes precedence, and an empty one counts as
/// not set.
///
/// Unlike in curl, `HTTP_PROXY` is used, except in a program that a web server runs by CGI (`REQUEST_METHOD` is set): the server sets it from the field
/// `Proxy` of a request (RFC 3875 §4.1.18).
public struct EnvironmentProxies: Hashable, Sendable {
    private struct Variable: Hashable, Sendable {
        var name: String
        var proxy: Result<Proxy, ProxyProblem>
        /// The hosts that are reached directly, also where the value is invalid.
        var exceptions: [ProxyException]
    }

    private var variables: [HTTPURL.Scheme: Variable] = [:]
    /// The name of the setting with the hosts that are reached directly; nil where none is set.
    fileprivate private(set) var exceptionsName: String?
    /// Whether `HTTP_PROXY`, which is not used here, is the only variable that names a proxy for `http` URLs.
    private var hasIgnoredName = false

    /// Reads the variables; nil where none names a proxy.
    public init?(_ environment: [String: String]) {
        func first(_ names: String...) -> (name: String, value: String)? {
            for name in names { if let value = environment[name], !value.isEmpty { return (name, value) } }
            return nil
        }
        let list = first("no_proxy", "NO_PROXY")
        exceptionsName = list?.name
        // As in curl, a part that names no host matches none.
        let parts = list?.value.split(whereSeparator: { $0 == "," || $0.isWhitespace }) ?? []
        let exceptions = parts.compactMap { ProxyException(String($0)) }
        let isCGI = environment["REQUEST_METHOD"] != nil
        let http = first("http_proxy") ?? (isCGI ? nil : first("HTTP_PROXY"))
        for (scheme, own) in [(HTTPURL.Scheme.http, http), (.https, first("https_proxy", "HTTPS_PROXY"))] {
            guard let (name, value) = own ?? first("all_proxy", "ALL_PROXY") else { continue }
            var result: Result<Proxy, ProxyProblem>
            do throws(ProxyProblem) {
                var proxy = try Proxy(value, except: exceptions)
                proxy.source = name
                result = .success(proxy)
            } catch {
                result = .failure(ProxyProblem("\(name): \(error.message)"))
            }
            variables[scheme] = Variable(name: name, proxy: result, exceptions: exceptions)
        }
        hasIgnoredName = variables[.http] == nil && environment["HTTP_PROXY"]?.isEmpty == false
        if variables.isEmpty, !hasIgnoredName { return nil }
    }

    /// Replaces the hosts that are reached directly.
    ///
    /// - Parameter name: The setting that lists them.
    package mutating func setExceptions(_ exceptions: [ProxyException], of name: String) {
        exceptionsName = name
        for scheme in variables.keys { variables[scheme]?.exceptions = exceptions }
        change { $0.exceptions = exceptions }
    }

    /// Whether a variable names a proxy for the scheme of a URL whose host is reached directly.
    fileprivate func excepts(_ url: HTTPURL) -> Bool { variables[url.scheme]?.exceptions.contain(url) == true }

    /// Changes every proxy, for example its authentication.
    package mutating func change(_ change: (inout Proxy) -> Void) {
        for (scheme, variable) in variables {
            guard case .success(var proxy) = variable.proxy else { continue }
            change(&proxy)
            variables[scheme]?.proxy = .success(proxy)
        }
    }

    /// The name of the variable for a scheme, also of one that is not used; nil where none is set.
    package func name(for scheme: HTTPURL.Scheme) -> String? {
        variables[scheme]?.name ?? (scheme == .http && hasIgnoredName ? "HTTP_PROXY" : nil)
    }

    /// The proxy for a scheme, with the name of its variable as its source; nil where no variable that is used names one.
    ///
    /// - Throws: The problem of an invalid value, which begins with the name of the variable.
    package func proxy(for scheme: HTTPURL.Scheme) throws(ProxyProblem) -> Proxy? { try variables[scheme]?.proxy.get() }

    /// The passwords of the proxies, which are secrets.
    package var passwords: [String] {
        variables.values.compactMap { variable in
            if case .success(let proxy) = variable.proxy { proxy.credentials?.password } else { nil }
        }
    }
}

/// The proxy of a request and the reason for it.
package struct ProxyChoice: Hashable, Sendable {
    /// The proxy; nil for a direct connection.
    package var proxy: Proxy?
    /// The reason, for a trace; nil where no setting is about a proxy.
    package var decision: String?
    /// The variable of the environment with the proxy, whether it is used or not; nil for none.
    package var variable: String?

    /// Chooses the proxy for a URL: that of the options, or else that of the environment.
    ///
    /// - Throws: The problem of an invalid variable.
    package init(_ options: RequestOptions, for url: HTTPURL) throws(ProxyProblem) {
        variable = options.environmentProxies?.name(for: url.scheme)
        let candidate: Proxy?
        if let own = options.$proxy {
            candidate = own
            if own == nil { decision = variable.map { "without a proxy: the settings exclude that of \($0)" } }
        } else if let variables = options.environmentProxies, variables.excepts(url) {
            // Before the value of the variable is read, which may be invalid.
            decision = Self.excepted(url, from: variable, by: variables.exceptionsName)
            return
        } else {
            candidate = try options.environmentProxies?.proxy(for: url.scheme)
            if candidate == nil, let variable {
                decision = "without a proxy: \(variable) is not used by a program that a web server runs (REQUEST_METHOD)"
            }
        }
        guard let candidate else { return }
        guard candidate.isFor(url) else {
            decision = Self.excepted(url, from: candidate.source, by: nil)
            return
        }
        proxy = candidate
        let source = Self.inParentheses(candidate.source)
        decision = "through the proxy \(candidate)\(source)\(candidate.resolvesNames ? ", which resolves \(url.host)" : "")"
    }

    private static func excepted(_ url: HTTPURL, from source: String?, by list: String?) -> String {
        "without the proxy\(inParentheses(source)): \(url.host) is one of its exceptions\(inParentheses(list))"
    }

    private static func inParentheses(_ text: String?) -> String { text.map { " (\($0))" } ?? "" }
}
