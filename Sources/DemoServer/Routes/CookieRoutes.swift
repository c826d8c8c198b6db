import Foundation
import SortieBase

/// Routes that show, set and delete cookies (RFC 6265).
enum CookieRoutes {
    static func all(_ demo: Demo) -> [Route] {
        [
            .get("/cookies", "The cookies of the request.") { call in
                .json(["cookies": .object(sent(call).map { ($0.0, .string($0.1)) }), "header": .optional(call.header("Cookie"))])
            },
            .get("/cookies/set", "Sets each pair of the query as a cookie and redirects to /cookies: ?theme=dark.") { call in
                guard !call.query.items.isEmpty else { throw Problem(400, "Name the cookies to set: /cookies/set?theme=dark.") }
                return answer(try call.query.items.map { "\(try name($0.name))=\(encode($0.value ?? "")); Path=/" })
            },
            .get("/cookies/delete", "Deletes each named cookie and redirects to /cookies: ?theme.") { call in
                guard !call.query.items.isEmpty else { throw Problem(400, "Name the cookies to delete: /cookies/delete?theme.") }
                return answer(try call.query.items.map { "\(try name($0.name))=; Path=/; Max-Age=0" })
            },
            .get(
                "/cookies/kinds",
                "Sets one cookie of each kind: session, Max-Age, Expires, Path, HttpOnly, Secure, SameSite, __Host-."
            ) { _ in
                answer([
                    "session=1; Path=/", "minute=1; Path=/; Max-Age=60",
                    "expired=1; Path=/; Expires=Thu, 01 Jan 2015 00:00:00 GMT",
                    "later=1; Path=/; Expires=Fri, 01 Jan 2038 00:00:00 GMT",
                    "below=1; Path=/cookies/below", "hidden=1; Path=/; HttpOnly", "strict=1; Path=/; SameSite=Strict",
                    "safe=1; Path=/; Secure", "__Host-safe=1; Path=/; Secure", "foreign=1; Path=/; Domain=example.com",
                ])
            },
        ]
    }

    private static func answer(_ cookies: [String]) -> Reply {
        var reply = Reply.redirect(to: "/cookies")
        reply.headers += cookies.map { ("Set-Cookie", $0) }
        return reply
    }

    private static func sent(_ call: Call) -> [(String, String)] {
        (call.header("Cookie") ?? "").split(separator: ";").map { pair in
            let parts = pair.trimmingCharacters(in: .whitespaces).split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(parts.first ?? ""), parts.count > 1 ? String(parts[1]) : "")
        }
    }

    private static func name(_ text: String) throws -> String {
        let isToken = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"()<>@,;:\\\"/[]?={}".utf8.contains($0) }
        guard isToken, !text.isEmpty else { throw Problem(400, "\"\(text)\" cannot name a cookie (RFC 6265 §4.1.1).") }
        return text
    }

    /// Percent-encodes the bytes that a cookie value must not contain.
    private static func encode(_ text: String) -> String {
        PercentEncoding.encode(text, except: "!#$&'()*+-./:<=>?@[]^_`{|}~")
    }
}
