import Foundation
import SortieBase

/// The pages on which a user signs in for an access token.
enum SignInRoutes {
    static func all(_ demo: Demo) -> [Route] {
        [
            Route(["GET"], "/oauth2/authorize", "The page on which a user permits the access of client demo; ?decision=permit or deny skips it.") {
                try await authorize($0, demo)
            },
            Route(["POST"], "/oauth2/device", "A code for client demo, which the user enters on /oauth2/enter (RFC 8628).") { call in
                let form = QueryItems(String(decoding: try await call.body.collect(limit: 64 << 10), as: UTF8.self), plusIsSpace: true)
                guard OAuth2Routes.clientName(of: call, form) == demo.options.username else {
                    return OAuth2Routes.refusal(401, "invalid_client", "The client is demo.")
                }
                let codes = await demo.signIns.issueDevice()
                let page = "http://\(call.header("Host") ?? "localhost")/oauth2/enter"
                return .json([
                    "device_code": .string(codes.deviceCode), "user_code": .string(codes.userCode), "verification_uri": .string(page),
                    "verification_uri_complete": .string("\(page)?user_code=\(codes.userCode)"), "expires_in": .number("600"),
                    "interval": .number("1"),
                ])
            },
            Route(["GET"], "/oauth2/enter", "The page on which a user enters the code; ?user_code=…&decision=permit or deny skips it.") {
                try await enter($0, demo)
            },
        ]
    }

    private static func authorize(_ call: Call, _ demo: Demo) async throws -> Reply {
        let (redirect, state) = (call.query["redirect_uri"] ?? "", call.query["state"] ?? "")
        guard call.query["client_id"] == demo.options.username else { throw Problem(400, "The client_id is demo.") }
        // Only programs of this machine are clients (RFC 8252 §7.3).
        guard let place = URL(string: redirect), place.scheme == "http", ["127.0.0.1", "localhost", "::1", "[::1]"].contains(place.host ?? "") else {
            throw Problem(400, "The redirect_uri must be an http URL of this machine.")
        }
        let items: [URLQueryItem]
        switch call.query["decision"] {
        case "permit":
            let code = await demo.signIns.issue(.init(redirect: redirect, challenge: call.query["code_challenge"] ?? ""))
            items = [URLQueryItem(name: "code", value: code)]
        case "deny": items = [URLQueryItem(name: "error", value: "access_denied")]
        default: return page("The program asks for access to your account of the demo.", "/oauth2/authorize?\(call.rawQuery)")
        }
        var target = URLComponents(url: place, resolvingAgainstBaseURL: false)
        target?.queryItems = items + [URLQueryItem(name: "state", value: state)]
        return .redirect(to: target?.string ?? redirect)
    }

    private static func enter(_ call: Call, _ demo: Demo) async throws -> Reply {
        guard let code = call.query["user_code"], !code.isEmpty else {
            return html("<form><label>Code <input name=user_code autofocus></label> <button>Continue</button></form>")
        }
        guard await demo.signIns.hasDevice(userCode: code) else { throw Problem(400, "No device waits for this code.") }
        let decision: SignInStore.Decision
        switch call.query["decision"] {
        case "permit": decision = .permitted
        case "deny": decision = .denied
        default: return page("A device asks for access to your account of the demo.", "/oauth2/enter?\(call.rawQuery)")
        }
        guard await demo.signIns.decide(code, decision) else { throw Problem(400, "No device waits for this code.") }
        return html("<p>Done. Return to the program.")
    }

    private static func page(_ text: String, _ target: String) -> Reply {
        let link = target.replacing(scalars: "&", with: "&amp;").replacing(scalars: "\"", with: "&quot;").replacing(scalars: "<", with: "&lt;")
        return html("<p>\(text)<p><a href=\"\(link)&amp;decision=permit\">Permit</a> <a href=\"\(link)&amp;decision=deny\">Deny</a>")
    }

    private static func html(_ body: String) -> Reply {
        .text(
            "<!doctype html><meta charset=utf-8><title>Demo</title>\(body)\n", type: "text/html; charset=utf-8",
            headers: [("Cache-Control", "no-store")])
    }
}
