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
    public func take(_ headers: Headers, from url: HTTPURL) -> [CookieDecision] {
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
    public func insert(netscape bytes: [UInt8]) -> [NetscapeCookies.Problem] {
        let file = NetscapeCookies(parsing: bytes, at: Date())
        insert(file.cookies)
        return file.problems
    }

    /// The cookies that have not expired, as a file in the Netscape format.
    public var netscape: [UInt8] {
        let now = Date()
        return NetscapeCookies(cookies.filter { !$0.isExpired(at: now) }).bytes
    }
}
