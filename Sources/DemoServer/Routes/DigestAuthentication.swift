import Foundation
import SortieBase

/// Digest access authentication (RFC 7616) with `qop=auth` and MD5 or SHA-256.
struct DigestAuthentication {
    static let realm = "demo"
    let demo: Demo

    func answer(_ call: Call) async throws -> Reply {
        let algorithms = try algorithms(for: call.parameter("algorithm"))
        guard let field = call.header("Authorization"), field.lowercased().hasPrefix("digest ") else {
            throw await challenge(
                algorithms, "This route requires Digest authentication with \(demo.options.username) and \(demo.options.password).")
        }
        let given = HeaderParameters(field.dropFirst(7), separator: ",")
        let algorithm = given["algorithm"]?.uppercased() ?? "MD5"
        guard algorithms.contains(algorithm) else {
            throw await challenge(algorithms, "The algorithm \(algorithm) is not supported by this route.")
        }
        guard let nonce = given["nonce"], let cnonce = given["cnonce"], let counter = given["nc"],
            let count = Int(counter, radix: 16),
            let uri = given["uri"], let response = given["response"], given["qop"] == "auth"
        else { throw Problem(400, "The Digest credentials lack one of nonce, cnonce, nc, uri, response or qop=auth.") }
        let target = call.rawQuery.isEmpty ? call.rawPath : call.rawPath + "?" + call.rawQuery
        guard uri == target else {
            throw Problem(400, "The Digest credentials are for \(uri), but the request is for \(target).")
        }
        let ha1 = hash("\(demo.options.username):\(Self.realm):\(demo.options.password)", algorithm)
        let ha2 = hash("\(call.method):\(uri)", algorithm)
        let expected = hash("\(ha1):\(nonce):\(counter):\(cnonce):auth:\(ha2)", algorithm)
        guard given["username"] == demo.options.username, response == expected else {
            throw await challenge(algorithms, "The user name or the password of the Digest credentials is wrong.")
        }
        guard await demo.nonces.use(nonce, count: count) else {
            throw await challenge(
                algorithms, "This server did not issue the nonce, or the nonce was already used with this count.", stale: true)
        }
        return .envelope([
            "authenticated": true, "scheme": "Digest", "algorithm": .string(algorithm), "nonceCount": .integer(count),
            "username": .string(demo.options.username),
        ])
    }

    private func algorithms(for name: String) throws -> [String] {
        switch name.lowercased() {
        case "": ["SHA-256", "MD5"]
        case "md5": ["MD5"]
        case "sha-256": ["SHA-256"]
        default: throw Problem(404, "There is /digest/md5 and /digest/sha-256, but not /digest/\(name).")
        }
    }

    private func challenge(_ algorithms: [String], _ message: String, stale: Bool = false) async -> Problem {
        var headers: [(String, String)] = []
        for algorithm in algorithms {
            let parts = [
                "realm=\"\(Self.realm)\"", "qop=\"auth\"", "algorithm=\(algorithm)", "nonce=\"\(await demo.nonces.issue())\"",
                "opaque=\"\(demo.nonces.opaque)\"", "charset=UTF-8",
            ]
            headers.append(("WWW-Authenticate", "Digest " + (parts + (stale ? ["stale=true"] : [])).joined(separator: ", ")))
        }
        return Problem(401, message, headers: headers)
    }

    private func hash(_ text: String, _ algorithm: String) -> String {
        HexDigits.text((algorithm == "MD5" ? HashFunction.md5 : .sha256).digest(of: text))
    }
}
