internal import Model

/// The one place where cookies are put on a request and taken from its answer (S1.6), at each hop of a call.
struct HopCookies {
    let call: Call
    /// Where they are kept; nil for a call that neither sends nor stores any (S2.15).
    let jar: CookieJar?

    /// Puts the jar's cookies on the request, before the plugins see it, so that what is signed is what is sent (S1.2).
    ///
    /// A `Cookie` field of the person stands alone: it says what it wants to send, and a request has only one (RFC 6265 §5.4). curl sends its jar in
    /// a second field beside one of `-H`, which servers read in different ways.
    func put(on request: inout Request) -> [Cookie] {
        guard let jar else { return [] }
        guard !request.headers.contains("Cookie") else {
            call.decided(.cookie, "the Cookie header of the request is sent as it is, and nothing from the jar")
            return []
        }
        let cookies = jar.cookies(for: request.url)
        guard !cookies.isEmpty else { return [] }
        request.headers.append("Cookie", Self.field(of: cookies))
        call.decided(.cookie, "from the jar for \(request.url.host): \(cookies.map(\.name).joined(separator: ", "))")
        return cookies
    }

    /// The `Cookie` field that would go to `url`; nil for none.
    func field(for url: HTTPURL) -> String? {
        let cookies = jar?.cookies(for: url) ?? []
        return cookies.isEmpty ? nil : Self.field(of: cookies)
    }

    /// For whom the jar makes a request speak, so that a cached answer to one is not given to another.
    func identity(of request: Request) -> [String] {
        request.headers.contains("Cookie") ? [] : field(for: request.url).map { ["cookies", $0] } ?? []
    }

    private static func field(of cookies: [Cookie]) -> String {
        cookies.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
    }

    /// Takes what the last attempt's answer sets, and notes with the attempt what went and what came.
    func take(from outcome: TransferOutcome, sent: [Cookie], _ exchange: inout Exchange) {
        guard let jar, !exchange.attempts.isEmpty else { return }
        let last = exchange.attempts.count - 1
        if !sent.isEmpty { exchange.attempts[last].sentCookies = sent }
        // A challenge that libcurl answered sets cookies as any answer does; they go with the next request, its own second round was too early.
        let fields = Headers(outcome.challengeCookies.fields + (exchange.response?.headers.fields ?? []))
        let verdicts = jar.take(fields, from: exchange.attempts[last].url)
        guard !verdicts.isEmpty else { return }
        exchange.attempts[last].setCookies = verdicts
        for verdict in verdicts { call.decided(.cookie, verdict.text) }
    }
}
