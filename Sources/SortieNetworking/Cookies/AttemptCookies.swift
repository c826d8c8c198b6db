internal import SortieHTTP

/// Adds cookies to the request of each attempt and stores those of its response; no other code does either.
struct AttemptCookies {
    let call: Call
    /// The jar of the call; nil for a call that neither sends nor stores cookies.
    let jar: CookieJar?

    /// Adds the jar's cookies to the request before plugins see it, so that the signed request is the sent one.
    ///
    /// A `Cookie` field that the user set is sent alone, because a request has only one such field (RFC 6265 §5.4). curl sends its jar in a second
    /// field besides one from `-H`, which servers interpret in different ways.
    func put(on request: inout Request) -> [Cookie] {
        guard let jar else { return [] }
        guard !request.headers.contains("Cookie") else {
            call.decided(.cookie, "the Cookie header of the request is sent unchanged; the jar is not used")
            return []
        }
        let cookies = jar.cookies(for: request.url)
        guard !cookies.isEmpty else { return [] }
        request.headers.append("Cookie", Self.field(of: cookies))
        call.decided(.cookie, "from the jar for \(request.url.host): \(cookies.map(\.name).joined(separator: ", "))")
        return cookies
    }

    /// The value of the `Cookie` field for `url`; nil for none.
    func field(for url: HTTPURL) -> String? {
        let cookies = jar?.cookies(for: url) ?? []
        return cookies.isEmpty ? nil : Self.field(of: cookies)
    }

    /// Identifies the cookies that the jar adds to a request, so that cached responses are not shared between users.
    func identity(of request: Request) -> [String] {
        request.headers.contains("Cookie") ? [] : field(for: request.url).map { ["cookies", $0] } ?? []
    }

    private static func field(of cookies: [Cookie]) -> String {
        cookies.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
    }

    /// Stores the cookies of the last attempt's response, and records the sent and received cookies in the attempt.
    func take(from outcome: TransferOutcome, sent: [Cookie], _ exchange: inout Exchange) {
        guard let jar, !exchange.attempts.isEmpty else { return }
        let last = exchange.attempts.count - 1
        if !sent.isEmpty { exchange.attempts[last].sentCookies = sent }
        guard !outcome.challengeCookies.fields.isEmpty || exchange.response?.headers.contains("Set-Cookie") == true else { return }
        // A challenge that libcurl answers itself may set cookies, as any response may; they are sent with the next request, not in the second round.
        let fields = Headers(outcome.challengeCookies.fields + (exchange.response?.headers.fields ?? []))
        let decisions = jar.take(fields, from: exchange.attempts[last].url)
        guard !decisions.isEmpty else { return }
        exchange.attempts[last].setCookies = decisions
        for decision in decisions { call.decided(.cookie, decision.text) }
    }
}
