package import struct FoundationEssentials.Date

/// The cookies of a jar, with the rules for storing and sending them in RFC 6265 §5.3 and §5.4.
///
/// Three rules of its successor (RFC 6265bis), which browsers and curl apply, are applied as well: cookies with the prefix `__Host-` or `__Secure-`
/// must meet the requirements of the prefix, only a secure origin sets `Secure` cookies, and an insecure one does not overwrite them. There is no
/// list of public suffixes: a `Domain` of a single label (`com`) is rejected, one of several labels (`co.uk`) is accepted.
package struct Cookies: Hashable, Sendable {
    /// The maximum number of cookies of one domain.
    package static let mostOfDomain = 180
    /// The maximum number of all cookies.
    package static let most = 3000

    private struct Entry: Hashable {
        package var cookie: Cookie
        /// The position in the order of creation.
        var created: UInt64
        /// The time of the last use, as a count of uses of the jar.
        package var use: UInt64
    }

    /// The cookies of each domain by identity, so that a request searches only its host and the parent domains, regardless of the size of the jar.
    private var domains: [String: [Cookie.Identity: Entry]] = [:]
    /// The number of cookies.
    package private(set) var count = 0
    private var created: UInt64 = 0
    private var uses: UInt64 = 0

    /// Creates an empty jar.
    package init() {}

    /// Creates a jar with cookies; a later cookie replaces an earlier one of the same identity.
    package init(_ cookies: [Cookie]) {
        for cookie in cookies { insert(cookie) }
    }

    /// All cookies, oldest first.
    package var all: [Cookie] { entries.sorted { $0.created < $1.created }.map(\.cookie) }

    /// Whether the jar contains no cookies.
    package var isEmpty: Bool { count == 0 }

    private var entries: [Entry] { domains.values.flatMap(\.values) }

    /// Inserts a cookie; one that replaces another keeps its position in the order (RFC 6265 §5.3, step 11).
    ///
    /// - Returns: Whether the cookie replaced another.
    @discardableResult
    package mutating func insert(_ cookie: Cookie) -> Bool {
        uses += 1
        created += 1
        return put(Entry(cookie: cookie, created: created, use: uses))
    }

    /// Inserts an entry; one that replaces another keeps its position in the order.
    private mutating func put(_ entry: Entry) -> Bool {
        let identity = entry.cookie.identity
        var entry = entry
        let before = domains[entry.cookie.domain]?[identity]
        if let before { entry.created = before.created } else { count += 1 }
        domains[entry.cookie.domain, default: [:]][identity] = entry
        return before != nil
    }

    /// Removes the cookies that satisfy a condition.
    package mutating func removeAll(where condition: (Cookie) -> Bool) {
        for domain in Array(domains.keys) { removeAll(of: domain, where: condition) }
    }

    private mutating func removeAll(of domain: String, where condition: (Cookie) -> Bool) {
        // Filtered before the change, so that the storage of a domain without a match is not copied.
        guard let those = domains[domain]?.filter({ condition($0.value.cookie) }), !those.isEmpty else { return }
        for identity in those.keys { remove(identity) }
    }

    /// Removes one cookie; returns whether it existed.
    @discardableResult
    private mutating func remove(_ identity: Cookie.Identity) -> Bool {
        guard domains[identity.domain]?.removeValue(forKey: identity) != nil else { return false }
        if domains[identity.domain]?.isEmpty == true { domains[identity.domain] = nil }
        count -= 1
        return true
    }

    /// Merges the changes in this jar with those that another process made in the shared store, without losing either.
    ///
    /// Where both changed a cookie, this jar's value takes precedence. Session cookies that are not shared stay in this jar and are not stored.
    ///
    /// - Parameters:
    ///   - theirs: The cookies in the store.
    ///   - base: The cookies in the store at the last merge.
    ///   - sharesSessions: Whether the store has session cookies, too.
    /// - Returns: The cookies to store.
    package mutating func merge(_ theirs: [Cookie], since base: [Cookie], sharesSessions: Bool = false, at now: Date) -> [Cookie] {
        func isShared(_ cookie: Cookie) -> Bool { sharesSessions || cookie.expiresAt != nil }
        let ours = Self.byIdentity(all.filter(isShared))
        let base = Self.byIdentity(base)
        var kept: [Cookie] = []
        var seen: Set<Cookie.Identity> = []
        for cookie in theirs where seen.insert(cookie.identity).inserted {
            let before = base[cookie.identity]
            if let mine = ours[cookie.identity], mine != before {
                kept.append(mine)
            } else if ours[cookie.identity] != nil || before != cookie {
                kept.append(cookie)
            }
        }
        for cookie in all where isShared(cookie) && !seen.contains(cookie.identity) && base[cookie.identity] != cookie { kept.append(cookie) }
        kept.removeAll { $0.isExpired(at: now) }

        // Existing cookies keep their position in the order of creation, and their last use.
        var after = Self.byIdentity(kept)
        for entry in entries where isShared(entry.cookie) {
            if let cookie = after.removeValue(forKey: entry.cookie.identity) {
                _ = put(Entry(cookie: cookie, created: entry.created, use: entry.use))
            } else {
                remove(entry.cookie.identity)
            }
        }
        for cookie in kept where after[cookie.identity] != nil { insert(cookie) }
        return kept
    }

    private static func byIdentity(_ cookies: [Cookie]) -> [Cookie.Identity: Cookie] {
        Dictionary(cookies.map { ($0.identity, $0) }) { $1 }
    }

    // MARK: Sending (RFC 6265 §5.4)

    /// The cookies for a request, in the order in which they are sent: longer paths first, then older cookies.
    package mutating func cookies(for url: HTTPURL, at now: Date) -> [Cookie] {
        guard count > 0 else { return [] }
        var found: [Entry] = []
        uses += 1
        for domain in Self.domains(above: url.host) {
            found += domains[domain]?.values.filter { $0.cookie.matches(url) && !$0.cookie.isExpired(at: now) } ?? []
        }
        for entry in found { domains[entry.cookie.domain]?[entry.cookie.identity]?.use = uses }
        found.sort { left, right in
            let (leftCount, rightCount) = (left.cookie.path.utf8.count, right.cookie.path.utf8.count)
            return leftCount == rightCount ? left.created < right.created : leftCount > rightCount
        }
        return found.map(\.cookie)
    }

    /// A host and all of its parent domains.
    private static func domains(above host: String) -> [String] {
        var domains = [host]
        var rest = host[...]
        while let dot = rest.firstIndex(of: ".") {
            rest = rest[rest.index(after: dot)...]
            domains.append(String(rest))
        }
        return domains
    }

    // MARK: Receiving (RFC 6265 §5.3)

    /// Applies the value of one `Set-Cookie` field of a response from `url`.
    package mutating func take(_ field: String, from url: HTTPURL, at now: Date) -> CookieDecision {
        let parsed: SetCookie
        do throws(CookieRefusal) { parsed = try SetCookie(parsing: field) } catch {
            let name = field.prefix { $0 != ";" }.prefix(80).trimmingOptionalWhitespace
            return CookieDecision(name: name.isEmpty ? "a cookie" : "“\(name)”", cookie: nil, outcome: .refused(error.reason))
        }
        var cookie = Cookie(
            name: parsed.name, value: parsed.value, domain: url.host, path: parsed.path ?? url.defaultCookiePath,
            expiresAt: Self.end(of: parsed, now), isSecure: parsed.isSecure, isHTTPOnly: parsed.isHTTPOnly, sameSite: parsed.sameSite)
        func decision(_ outcome: CookieDecision.Outcome) -> CookieDecision {
            CookieDecision(name: parsed.name, cookie: cookie, outcome: outcome)
        }
        do throws(CookieRefusal) {
            try Self.apply(parsed.domain, to: &cookie, from: url)
            try check(cookie, hasDomain: parsed.domain != nil, from: url)
        } catch { return decision(.refused(error.reason)) }

        if cookie.isExpired(at: now) {
            return decision(remove(cookie.identity) ? .deleted : .expired)
        }
        let isReplaced = insert(cookie)
        if !isReplaced { makeRoom(for: cookie, now) }
        return decision(isReplaced ? .replaced : .stored)
    }

    /// The expiry: `Max-Age` takes precedence over `Expires`; at most ``Cookie/lastExpiry``.
    private static func end(of parsed: SetCookie, _ now: Date) -> Date? {
        guard let maxAge = parsed.maxAge else { return parsed.expires }
        guard maxAge > 0 else { return Date(timeIntervalSince1970: 0) }
        return min(now.addingTimeInterval(Double(maxAge)), Cookie.lastExpiry)
    }

    private static func apply(_ domain: String?, to cookie: inout Cookie, from url: HTTPURL) throws(CookieRefusal) {
        guard let domain else { return }
        // A single label, or an address, can only mean the host itself (RFC 6265 §5.3, step 5).
        if domain == url.host, !domain.contains(".") || url.host.hasPrefix("[") || IPAddress(domain) != nil { return }
        guard domain.contains(".") else { throw CookieRefusal("its domain \(domain) is a public suffix") }
        guard Cookie.domain(domain, covers: url.host) else { throw CookieRefusal("its domain \(domain) is not one of \(url.host)") }
        cookie.domain = domain
        cookie.isHostOnly = false
    }

    private func check(_ cookie: Cookie, hasDomain: Bool, from url: HTTPURL) throws(CookieRefusal) {
        if let problem = cookie.prefixProblem(hasDomain: hasDomain) { throw CookieRefusal(problem) }
        guard !url.isSecureForCookies else { return }
        if cookie.isSecure { throw CookieRefusal("it is Secure, but the request to \(url.host) used plain HTTP") }
        let hidden = domains.contains { domain, bucket in
            (Cookie.domain(domain, covers: cookie.domain) || Cookie.domain(cookie.domain, covers: domain))
                && bucket.values.contains {
                    $0.cookie.isSecure && $0.cookie.name == cookie.name && Cookie.path($0.cookie.path, covers: cookie.path)
                }
        }
        if hidden { throw CookieRefusal("it would hide a Secure cookie of that name, but the request to \(url.host) used plain HTTP") }
    }

    /// Removes expired cookies, then the least recently used ones, first of the domain, then of all (RFC 6265 §5.3, the last paragraphs).
    private mutating func makeRoom(for cookie: Cookie, _ now: Date) {
        if let bucket = domains[cookie.domain], bucket.count > Self.mostOfDomain {
            makeRoom(in: Array(bucket.values), until: Self.mostOfDomain, now)
        }
        if count > Self.most { makeRoom(in: entries, until: Self.most, now) }
    }

    /// Removes the expired ones of `entries`, then the least recently used ones, until `limit` of them are left.
    private mutating func makeRoom(in entries: [Entry], until limit: Int, _ now: Date) {
        for entry in entries where entry.cookie.isExpired(at: now) { remove(entry.cookie.identity) }
        var rest = entries.filter { !$0.cookie.isExpired(at: now) }
        // Each cookie makes room, so there is one too many; to sort them would take most of the time of a response with thousands.
        while rest.count > limit, let least = rest.indices.min(by: { rest[$0].use < rest[$1].use }) {
            remove(rest.remove(at: least).cookie.identity)
        }
    }
}
