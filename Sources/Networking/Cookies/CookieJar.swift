public import Model
internal import Synchronization

internal import struct FoundationEssentials.Date

/// The cookies that servers set, kept and sent again by the rules of RFC 6265 (S2.15, S3.11); ``Cookies`` has the rules.
///
/// It is our own and not libcurl's: a cookie belongs to the name in the URL, and not to the address that was connected to (S3.8), every redirect is a
/// request of its own, and what is kept can be seen. It may be used from anywhere.
public final class CookieJar: Sendable {
    private let state: Mutex<Cookies>
    private let onChange: @Sendable () -> Void

    /// A jar with these cookies.
    ///
    /// - Parameter onChange: called after each change but those of ``merge(_:since:)``, from whatever thread makes it; must not wait.
    public init(_ cookies: [Cookie] = [], onChange: @escaping @Sendable () -> Void = {}) {
        state = Mutex(Cookies(cookies))
        self.onChange = onChange
    }

    /// All cookies, the oldest first; those that have ended are among them until they are asked for.
    public var cookies: [Cookie] { state.withLock { $0.all } }

    /// Puts cookies in; the same ones that are there are replaced.
    public func insert(_ cookies: some Sequence<Cookie>) {
        state.withLock { jar in
            for cookie in cookies { jar.insert(cookie) }
        }
        onChange()
    }

    /// Brings together what changed here and what somebody else put into the place where both keep their cookies (``Cookies/merge(_:since:at:)``).
    ///
    /// - Returns: what is to be kept there from now on.
    public func merge(_ theirs: [Cookie], since base: [Cookie]) -> [Cookie] {
        state.withLock { $0.merge(theirs, since: base, at: Date()) }
    }

    /// Takes cookies out.
    public func removeAll(where condition: (Cookie) -> Bool = { _ in true }) {
        state.withLock { $0.removeAll(where: condition) }
        onChange()
    }

    /// The cookies that go along with a request for `url` now, in the order in which they are sent.
    public func cookies(for url: HTTPURL) -> [Cookie] {
        state.withLock { jar in
            guard !jar.isEmpty else { return [] }
            return jar.cookies(for: url, at: Date())
        }
    }

    /// Takes what an answer of `url` sets.
    public func take(_ headers: Headers, from url: HTTPURL) -> [CookieVerdict] {
        let fields = headers.values(of: "Set-Cookie")
        guard !fields.isEmpty else { return [] }
        let now = Date()
        let verdicts = state.withLock { jar in fields.map { jar.take($0, from: url, at: now) } }
        if verdicts.contains(where: \.changesJar) { onChange() }
        return verdicts
    }

    /// Adds the cookies of a file in the format of Netscape; those that have ended are left out.
    ///
    /// - Returns: the lines that were not understood.
    public func insert(netscape bytes: [UInt8]) -> [NetscapeCookies.Problem] {
        let file = NetscapeCookies(parsing: bytes, at: Date())
        insert(file.cookies)
        return file.problems
    }

    /// The cookies that have not ended, as a file in the format of Netscape.
    public var netscape: [UInt8] {
        let now = Date()
        return NetscapeCookies(cookies.filter { !$0.isExpired(at: now) }).bytes
    }
}
