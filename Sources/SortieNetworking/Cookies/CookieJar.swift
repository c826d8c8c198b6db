public import SortieHTTP
internal import Synchronization

internal import struct FoundationEssentials.Date

/// A thread-safe store of the cookies that servers set, which are sent according to RFC 6265; `Cookies` implements the rules.
///
/// It replaces libcurl's cookie engine: a cookie belongs to the host in the URL and not to the address of the connection, every redirect is
/// a separate request, and the stored cookies can be displayed.
public final class CookieJar: Sendable {
    private let state: Mutex<Cookies>
    private let onChange: @Sendable () -> Void

    /// Creates a jar with `cookies`.
    ///
    /// - Parameters:
    ///   - cookies: The first cookies of the jar.
    ///   - onChange: Called after each change except `merge(_:since:)`, on the thread that makes the change; must not block.
    public init(_ cookies: [Cookie] = [], onChange: @escaping @Sendable () -> Void = {}) {
        state = Mutex(Cookies(cookies))
        self.onChange = onChange
    }

    /// All cookies, oldest first; expired cookies are included until the jar needs room or is merged.
    public var cookies: [Cookie] { state.withLock { $0.all } }

    /// Inserts cookies; a cookie replaces one with the same name, domain and path.
    public func insert(_ cookies: some Sequence<Cookie>) {
        state.withLock { jar in
            for cookie in cookies { jar.insert(cookie) }
        }
        onChange()
    }

    /// Merges changes in this jar with changes that another process made in the shared store (`Cookies.merge(_:since:at:)`).
    ///
    /// - Returns: The cookies to store from now on.
    package func merge(_ theirs: [Cookie], since base: [Cookie], sharesSessions: Bool = false) -> [Cookie] {
        state.withLock { $0.merge(theirs, since: base, sharesSessions: sharesSessions, at: Date()) }
    }

    /// Removes the cookies that satisfy a condition; all cookies by default.
    public func removeAll(where condition: (Cookie) -> Bool = { _ in true }) {
        state.withLock { $0.removeAll(where: condition) }
        onChange()
    }

    /// The cookies to send with a request for `url` now, in the order in which they are sent.
    public func cookies(for url: HTTPURL) -> [Cookie] {
        state.withLock { jar in
            guard !jar.isEmpty else { return [] }
            return jar.cookies(for: url, at: Date())
        }
    }

    /// Applies the `Set-Cookie` fields of a response from `url`; returns a decision for each field.
    package func take(_ headers: Headers, from url: HTTPURL) -> [CookieDecision] {
        let fields = headers.values(of: "Set-Cookie")
        guard !fields.isEmpty else { return [] }
        let now = Date()
        let decisions = state.withLock { jar in fields.map { jar.take($0, from: url, at: now) } }
        if decisions.contains(where: \.changesJar) { onChange() }
        return decisions
    }

    /// Inserts the cookies of a file in the Netscape format; expired cookies are skipped.
    ///
    /// - Returns: The lines that could not be parsed.
    package func insert(netscape bytes: [UInt8]) -> [NetscapeCookies.Problem] {
        let file = NetscapeCookies(parsing: bytes, at: Date())
        insert(file.cookies)
        return file.problems
    }

    /// The cookies that have not expired, as a file in the Netscape format.
    package var netscape: [UInt8] {
        let now = Date()
        return NetscapeCookies(cookies.filter { !$0.isExpired(at: now) }).bytes
    }
}

/// Adds cookies to the request of each attempt and stores those of its response; no other code does either.
struct AttemptCookies {
    let call: Call
    /// The jar of the call; nil for a call that neither sends nor stores cookies.
    let jar: CookieJar?

    /// Adds the jar's cookies to the request before plugins see it, so that the signed request is the sent one; returns them.
    func put(on request: inout Request) -> [Cookie] {
        let cookies = cookies(for: request)
        if !cookies.isEmpty { put(cookies, on: &request) }
        return cookies
    }

    /// Adds cookies to a request.
    func put(_ cookies: [Cookie], on request: inout Request) {
        request.headers.append("Cookie", Self.field(of: cookies))
        call.decided(.cookie, "from the jar for \(request.url.host): \(cookies.map(\.name).joined(separator: ", "))")
    }

    /// The jar's cookies for a request.
    ///
    /// A `Cookie` field that the user set is sent alone, because a request has only one such field (RFC 6265 §5.4). curl sends its jar in a second
    /// field besides one from `-H`, which servers interpret in different ways.
    func cookies(for request: Request) -> [Cookie] {
        guard let jar else { return [] }
        guard !request.headers.contains("Cookie") else {
            call.decided(.cookie, "the Cookie header of the request is sent unchanged; the jar is not used")
            return []
        }
        return jar.cookies(for: request.url)
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
        // A challenge to which libcurl responds itself may set cookies, as any response may; they are sent with the next request, not in the second round.
        let fields = Headers(outcome.challengeCookies.fields + (exchange.response?.headers.fields ?? []))
        let decisions = jar.take(fields, from: exchange.attempts[last].url)
        guard !decisions.isEmpty else { return }
        exchange.attempts[last].setCookies = decisions
        for decision in decisions { call.decided(.cookie, decision.text) }
    }
}

/// The cookie jars of a client, one for each environment, so that a login at a test server does not apply to the production server.
public final class CookieJars: Sendable {
    private let jars: Mutex<[String: CookieJar]>
    /// The jar of requests without an environment, after its first use.
    private let unnamed = Mutex<CookieJar?>(nil)
    private let make: @Sendable (String) -> CookieJar

    /// Creates jars by the name of their environment; the empty name is for requests without an environment.
    ///
    /// - Parameters:
    ///   - jars: Jars that exist already.
    ///   - make: Creates a missing jar at its first use, one at a time; an empty jar by default.
    public init(_ jars: [String: CookieJar] = [:], making make: @escaping @Sendable (String) -> CookieJar = { _ in CookieJar() }) {
        self.jars = Mutex(jars)
        self.make = make
    }

    /// The jar of an environment; nil for requests without one.
    public subscript(environment: String?) -> CookieJar {
        guard environment?.isEmpty ?? true else { return jar(environment ?? "") }
        return unnamed.withLock { unnamed in
            if let unnamed { return unnamed }
            let jar = jar("")
            unnamed = jar
            return jar
        }
    }

    private func jar(_ name: String) -> CookieJar {
        jars.withLock { jars in
            if let jar = jars[name] { return jar }
            let jar = make(name)
            jars[name] = jar
            return jar
        }
    }
}
