import Foundation

/// Routes that redirect: chains, loops, other statuses and other origins.
enum RedirectRoutes {
    static func all(_ demo: Demo) -> [Route] {
        [
            Route([], "/redirect/{n}", "That many redirects, 0 to 100, then /echo: ?status=302&absolute=false.", handle: chain),
            Route([], "/redirect/loop", "Redirects to itself without end.") { _ in .redirect(to: "/redirect/loop") },
            Route([], "/redirect/cross-origin", "Redirects to ?to=/echo on the other name of this host: localhost or 127.0.0.1.") {
                try crossOrigin($0)
            },
            Route([], "/redirect-to", "Redirects to any address: ?url=URL&status=302.") { call in
                guard let url = call.query["url"], !url.isEmpty else {
                    throw Problem(400, "Name the address to redirect to: ?url=/echo.")
                }
                guard !url.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else {
                    throw Problem(400, "The address to redirect to contains a control character, which a header field must not contain.")
                }
                return .redirect(to: url, status: try status(call))
            },
        ]
    }

    private static func status(_ call: Call) throws -> Int {
        let status = try call.integer("status", default: 302, in: 300...399)
        guard status != 304 else { throw Problem(400, "304 is not a redirect; use /status/304.") }
        return status
    }

    private static func chain(_ call: Call) throws -> Reply {
        guard let hops = Int(call.parameter("n")), (0...100).contains(hops) else {
            throw Problem(400, "The number of redirects must be from 0 to 100, not \"\(call.parameter("n"))\".")
        }
        let path = hops > 1 ? "/redirect/\(hops - 1)" + (call.rawQuery.isEmpty ? "" : "?" + call.rawQuery) : "/echo"
        guard try call.flag("absolute", default: false), let host = call.header("Host") else {
            return .redirect(to: path, status: try status(call))
        }
        return .redirect(to: "http://\(host)\(path)", status: try status(call))
    }

    private static func crossOrigin(_ call: Call) throws -> Reply {
        let host = call.header("Host") ?? "127.0.0.1"
        let port = host.split(separator: ":").dropFirst().last.flatMap { UInt16($0) }.map { ":\($0)" } ?? ""
        let path = call.query["to"] ?? "/echo"
        guard path.hasPrefix("/") else { throw Problem(400, "to must be a path that begins with /, not \"\(path)\".") }
        let other = host.hasPrefix("localhost") ? "127.0.0.1" : "localhost"
        return .redirect(to: "http://\(other)\(port)\(path)", status: try status(call))
    }
}
