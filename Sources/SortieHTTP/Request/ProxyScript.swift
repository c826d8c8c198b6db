package import SortieBase

/// A script that chooses the proxy of each request: proxy auto-configuration (PAC), as in the settings of browsers.
package struct ProxyScript: Hashable, Sendable {
    /// Where the script is.
    package enum Location: Hashable, Sendable, CustomStringConvertible {
        /// It is fetched, without a proxy.
        case url(HTTPURL)
        /// The absolute path of a file.
        case file(String)

        /// The URL or the path.
        package var description: String {
            switch self {
            case .url(let url): url.description
            case .file(let path): path
            }
        }
    }

    /// The largest script, in bytes.
    package static let sizeLimit = 1 << 20

    /// Where the script is.
    package var location: Location
    /// The hosts that are reached without a proxy, for which the script is not evaluated.
    package var exceptions: [ProxyException] = []
    /// A file of PEM certificates that replaces the system's authorities for the TLS connection to a chosen proxy.
    package var certificateAuthorityFile: String?
    /// How the client authenticates at a chosen proxy.
    package var authentication = Proxy.Authentication.basic
    /// The setting that names the script, for messages.
    package var source: String?
    /// What the user permits: the location, and the digest of a file of the workspace.
    package var permission: String

    /// Creates the setting.
    package init(_ location: Location, permission: String? = nil) {
        (self.location, self.permission) = (location, permission ?? location.description)
    }

    /// The proxy of a route; nil for a direct connection.
    package func proxy(of route: ProxyRoute) -> Proxy? {
        guard var proxy = route.proxy else { return nil }
        proxy.certificateAuthorityFile = certificateAuthorityFile
        proxy.authentication = authentication
        proxy.source = location.description
        return proxy
    }
}

/// One way to a server that a script names: a proxy, or the direct connection.
package struct ProxyRoute: Hashable, Sendable, CustomStringConvertible {
    /// The proxy; nil for a direct connection.
    package var proxy: Proxy?
    /// The words of the script: `PROXY proxy.example:3128`.
    package var description: String

    /// Creates a route.
    package init(proxy: Proxy?, description: String) { (self.proxy, self.description) = (proxy, description) }

    /// The routes in the result of a script, in their order; those of unknown kinds are left out.
    ///
    /// - Throws: A ``ProxyProblem`` where the result names no route that can be used.
    package static func list(_ text: String) throws(ProxyProblem) -> [ProxyRoute] {
        var routes: [ProxyRoute] = []
        for part in text.split(separator: ";") {
            let words = part.split(whereSeparator: \.isWhitespace)
            guard let kind = words.first else { continue }
            let name = words.joined(separator: " ")
            let scheme: String
            switch kind.uppercased() {
            case "DIRECT" where words.count == 1:
                routes.append(ProxyRoute(proxy: nil, description: name))
                continue
            // The port of a proxy of HTTP is 80, as in browsers.
            case "PROXY", "HTTP": scheme = "http"
            case "HTTPS": scheme = "https"
            // The names of hosts are resolved by the proxy, as in browsers.
            case "SOCKS", "SOCKS5": scheme = "socks5h"
            default: continue
            }
            guard words.count == 2 else { continue }
            do throws(ProxyProblem) { routes.append(ProxyRoute(proxy: try Proxy("\(scheme)://\(words[1])"), description: name)) } catch { continue }
        }
        // An empty result means a direct connection.
        if routes.isEmpty, text.allSatisfy({ $0.isWhitespace || $0 == ";" }) { return [ProxyRoute(proxy: nil, description: "DIRECT")] }
        guard !routes.isEmpty else {
            throw ProxyProblem(
                "the script chose “\(text.prefix(80))”, which is none of PROXY, HTTPS, SOCKS and SOCKS5 with HOST:PORT, and not DIRECT")
        }
        return routes
    }
}

/// What a script that chooses a proxy can learn about this machine.
package struct ProxyScriptSurroundings: Sendable {
    /// The addresses of the hosts that were looked up for the script, by name; none for a host that was not found.
    package var addresses: [String: [IPAddress]] = [:]
    /// The address of this machine.
    package var ownAddress: String
    /// The seconds since 1970.
    package var time: Double
    /// The seconds by which the time zone of this machine is ahead of UTC.
    package var utcOffset: Int

    /// Creates surroundings without addresses of hosts.
    package init(ownAddress: String, time: Double, utcOffset: Int) {
        (self.ownAddress, self.time, self.utcOffset) = (ownAddress, time, utcOffset)
    }
}

extension JavaScriptScript {
    /// The routes that `FindProxyForURL` chooses for a URL, whose credentials and fragment, and those of `https` also path and query, it does not get.
    ///
    /// - Throws: `problem` with the place in the script, or without one for a result that names no route; `lookup` with a host whose addresses are to be
    ///   added to the surroundings.
    package func routes(for url: HTTPURL, _ surroundings: ProxyScriptSurroundings) throws(JavaScriptFailure) -> [ProxyRoute] {
        let origin = url.origin
        let address = url.scheme == .https ? "\(origin)/" : origin + url.requestTarget
        let result = try call(
            "FindProxyForURL", [.string(address), .string(url.hostForLookup)], functions: ProxyScriptFunctions(surroundings).all)
        let text: String
        switch result {
        case .string(let value): text = value
        case .null, .undefined: text = ""
        default: throw .problem(Diagnostic(.nowhere, "FindProxyForURL does not return a text"))
        }
        do throws(ProxyProblem) { return try ProxyRoute.list(text) } catch { throw .problem(Diagnostic(.nowhere, error.message)) }
    }
}
