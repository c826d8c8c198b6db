internal import FoundationEssentials
internal import Glibc
internal import SortieHTTP

/// The cached results of name lookups: fresh addresses, stale addresses that are still usable, and recent
/// failures.
///
/// A value type; the caller passes the current time in monotonic nanoseconds. Stored entries may have times before
/// the boot of the machine, so times are signed.
struct NameCache {
    /// A name and the resolver that is queried for it.
    struct Name: Hashable, Sendable {
        var host: String
        /// The DNS over HTTPS server; nil for the system.
        var server: HTTPURL?
    }

    /// The addresses of a name.
    struct Entry: Hashable, Sendable {
        var addresses: [IPAddress]
        /// When the addresses were found (monotonic nanoseconds).
        var found: Int64
        /// How long the entry is fresh, in nanoseconds.
        var lifetime: Int64
        /// Whether the entry comes from an earlier run of the program.
        var isKept = false
        /// No new lookup starts before this time.
        var retry: Int64 = .min
    }

    /// The state of a name at a given time.
    enum Knowledge: Hashable, Sendable {
        case nothing
        /// The name was not found a moment ago; with the resolver's message.
        case refused(String)
        case fresh(Entry)
        /// The entry has expired. It is used while a new lookup runs.
        case stale(Entry, shouldAsk: Bool)
    }

    private static let second: Int64 = 1_000_000_000
    /// The lifetime of an answer that gives none.
    ///
    /// The system's resolver never gives one.
    static let lifetime = 60 * second
    /// Given lifetimes are clamped to this range.
    static let lifetimes = 5 * second...86_400 * second
    /// How long an expired entry may be used (RFC 8767 §5).
    static let staleness = 3 * 86_400 * second
    /// How long a failed lookup is not repeated.
    static let refusal = 3 * second
    /// The largest number of cached names.
    static let mostNames = 10_000

    private var entries: [Name: Entry] = [:]
    private var refusals: [Name: (words: String, until: Int64)] = [:]

    /// The state of `name`.
    func knowledge(of name: Name, at now: Int64) -> Knowledge {
        if let entry = entries[name] {
            if now < entry.found + entry.lifetime { return .fresh(entry) }
            if now < entry.found + entry.lifetime + Self.staleness { return .stale(entry, shouldAsk: now >= entry.retry) }
        }
        if let refusal = refusals[name], now < refusal.until { return .refused(refusal.words) }
        return .nothing
    }

    /// Records the addresses of a name.
    mutating func found(_ addresses: [IPAddress], lifetime: Duration?, of name: Name, at now: Int64) {
        if entries.count >= Self.mostNames { dropOldest() }
        let given = lifetime.map { Int64(clamping: $0.nanoseconds) } ?? Self.lifetime
        entries[name] = Entry(
            addresses: addresses, found: now, lifetime: min(max(given, Self.lifetimes.lowerBound), Self.lifetimes.upperBound))
        refusals[name] = nil
    }

    /// Records a failed lookup.
    ///
    /// Cached addresses remain usable.
    mutating func refused(_ words: String, of name: Name, at now: Int64) {
        entries[name]?.retry = now + Self.refusal
        if refusals.count >= Self.mostNames { refusals.removeAll() }
        refusals[name] = (words, now + Self.refusal)
    }

    /// Removes all entries, because names may have other addresses on another network.
    mutating func forgetAll() {
        entries.removeAll()
        refusals.removeAll()
    }

    /// Adds the stored names of an earlier run for which no newer entry exists.
    ///
    /// - Parameter date: The current wall-clock time in seconds since 1970.
    mutating func adopt(_ names: [ResolvedName], at now: Int64, date: Double) {
        for kept in names.prefix(Self.mostNames) {
            let age = date - kept.found.timeIntervalSince1970
            let addresses = kept.addresses.compactMap { IPAddress($0) }
            // A negative age means that the wall clock was or is wrong, so the age is unknown.
            guard !addresses.isEmpty, age >= 0, kept.lifetime >= 0, age < Double(Self.staleness / Self.second) else { continue }
            let server = kept.server.flatMap { HTTPURL(ifValid: $0) }
            guard (server == nil) == (kept.server == nil) else { continue }
            let name = Name(host: kept.host, server: server)
            guard entries[name] == nil else { continue }
            let lifetime = min(kept.lifetime * 1e9, Double(Self.lifetimes.upperBound))
            entries[name] = Entry(
                addresses: addresses, found: now - Int64(age * 1e9), lifetime: max(Int64(lifetime), Self.lifetimes.lowerBound), isKept: true)
        }
    }

    /// The names to store for the next run.
    func kept(at now: Int64, date: Double) -> [ResolvedName] {
        entries.filter { now < $0.value.found + $0.value.lifetime + Self.staleness }.map { name, entry in
            ResolvedName(
                host: name.host, server: name.server?.description, addresses: entry.addresses.map(\.description),
                found: .init(timeIntervalSince1970: date - Double(now - entry.found) / 1e9), lifetime: Double(entry.lifetime) / 1e9)
        }.sorted { ($0.host, $0.server ?? "") < ($1.host, $1.server ?? "") }
    }

    private mutating func dropOldest() {
        if let oldest = entries.min(by: { $0.value.found < $1.value.found }) { entries[oldest.key] = nil }
    }
}

/// A lookup with the system's resolver, which may block for any time and therefore runs on a separate thread.
enum NameLookup {
    /// The result of a lookup.
    enum Answer: Sendable {
        /// The addresses and, where the resolver gives one, their lifetime. The system's resolver never gives one.
        case addresses([IPAddress], lifetime: Duration? = nil)
        /// The resolver reports that the name has no address.
        case failed(String)
        /// The resolver did not respond; another one may.
        case unavailable(String)
        /// The lookup did not start, which says nothing about the name.
        case notStarted(String)
    }

    /// Looks up the addresses of `host`.
    ///
    /// `answer` is called once, on another thread.
    static func start(_ host: String, answer: @escaping @Sendable (Answer) -> Void) {
        let result = SystemThread.start("sortie-lookup", stackSize: 512 << 10) { answer(ask(host)) }
        if result != 0 { answer(.notStarted("no thread: \(String(cString: strerror(result)).lowercased())")) }
    }

    private static func ask(_ host: String) -> Answer {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = 1  // SOCK_STREAM, which the Glibc module imports as an enumeration
        var list: UnsafeMutablePointer<addrinfo>?
        let result = getaddrinfo(host, nil, &hints, &list)
        defer { if let list { freeaddrinfo(list) } }
        guard result == 0 else { return .failed(String(cString: gai_strerror(result))) }

        var addresses: [IPAddress] = []
        var entry = list
        while let info = entry {
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            if getnameinfo(info.pointee.ai_addr, info.pointee.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
                == 0,
                let address = IPAddress(String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)),
                !addresses.contains(address)
            {
                addresses.append(address)
            }
            entry = info.pointee.ai_next
        }
        return addresses.isEmpty ? .failed("the name has no address") : .addresses(addresses)
    }
}
