internal import FoundationEssentials
internal import Model

/// What is known of names (S3.12): for how long an answer is fresh, for how long it is better than none, and which names were not found a moment ago.
///
/// A value with the time given from outside, monotonic nanoseconds; what an earlier program found may be from before the machine started.
struct NameCache {
    /// What is asked, and whom.
    struct Name: Hashable, Sendable {
        var host: String
        /// The DNS over HTTPS server; nil for the system.
        var server: HTTPURL?
    }

    /// An answer.
    struct Entry: Hashable, Sendable {
        var addresses: [IPAddress]
        /// When it came.
        var found: Int64
        /// For how long it is fresh, nanoseconds.
        var lifetime: Int64
        /// Whether an earlier program asked.
        var isKept = false
        /// Before this moment no new answer is asked for.
        var retry: Int64 = .min
    }

    /// What is known of a name at a moment.
    enum Knowledge: Hashable, Sendable {
        case nothing
        /// It was not found a moment ago, with the words of who was asked.
        case refused(String)
        case fresh(Entry)
        /// It may have changed; it is used all the same, while a new answer is asked for.
        case stale(Entry, shouldAsk: Bool)
    }

    private static let second: Int64 = 1_000_000_000
    /// How long an answer is fresh that does not say so: the system's never does.
    static let lifetime = 60 * second
    /// Answers that want to be asked for more often, or hardly ever, are not taken at their word.
    static let lifetimes = 5 * second...86_400 * second
    /// For how long after its end an answer is better than none (RFC 8767 §5).
    static let staleness = 3 * 86_400 * second
    /// For how long a name that was not found is not asked for again.
    static let refusal = 3 * second
    /// How many names are known at most.
    static let mostNames = 10_000

    private var entries: [Name: Entry] = [:]
    private var refusals: [Name: (words: String, until: Int64)] = [:]

    /// What is known of `name`.
    func knowledge(of name: Name, at now: Int64) -> Knowledge {
        if let entry = entries[name] {
            if now < entry.found + entry.lifetime { return .fresh(entry) }
            if now < entry.found + entry.lifetime + Self.staleness { return .stale(entry, shouldAsk: now >= entry.retry) }
        }
        if let refusal = refusals[name], now < refusal.until { return .refused(refusal.words) }
        return .nothing
    }

    /// Notes an answer.
    mutating func found(_ addresses: [IPAddress], lifetime: Duration?, of name: Name, at now: Int64) {
        if entries.count >= Self.mostNames { dropOldest() }
        let told = lifetime.map { Int64(clamping: $0.nanoseconds) } ?? Self.lifetime
        entries[name] = Entry(
            addresses: addresses, found: now, lifetime: min(max(told, Self.lifetimes.lowerBound), Self.lifetimes.upperBound))
        refusals[name] = nil
    }

    /// Notes that a name was not found; an older answer stays what it is for a while.
    mutating func refused(_ words: String, of name: Name, at now: Int64) {
        entries[name]?.retry = now + Self.refusal
        if refusals.count >= Self.mostNames { refusals.removeAll() }
        refusals[name] = (words, now + Self.refusal)
    }

    /// Forgets everything: on another network names may have other addresses.
    mutating func forgetAll() {
        entries.removeAll()
        refusals.removeAll()
    }

    /// Takes in what an earlier program found, where nothing newer is known.
    ///
    /// - Parameter date: what a clock on the wall says now, in seconds.
    mutating func adopt(_ names: [KeptName], at now: Int64, date: Double) {
        for kept in names.prefix(Self.mostNames) {
            let age = date - kept.found.timeIntervalSince1970
            let addresses = kept.addresses.compactMap { IPAddress($0) }
            // A clock that was wrong then or is wrong now says nothing about the age.
            guard !addresses.isEmpty, age >= 0, kept.lifetime >= 0, age < Double(Self.staleness / Self.second) else { continue }
            var server: HTTPURL?
            if let text = kept.server {
                do { server = try HTTPURL(parsing: text) } catch { continue }
            }
            let name = Name(host: kept.host, server: server)
            guard entries[name] == nil else { continue }
            let lifetime = min(kept.lifetime * 1e9, Double(Self.lifetimes.upperBound))
            entries[name] = Entry(
                addresses: addresses, found: now - Int64(age * 1e9), lifetime: max(Int64(lifetime), Self.lifetimes.lowerBound), isKept: true)
        }
    }

    /// What is to be kept for the next program.
    func kept(at now: Int64, date: Double) -> [KeptName] {
        entries.filter { now < $0.value.found + $0.value.lifetime + Self.staleness }.map { name, entry in
            KeptName(
                host: name.host, server: name.server?.description, addresses: entry.addresses.map(\.description),
                found: .init(timeIntervalSince1970: date - Double(now - entry.found) / 1e9), lifetime: Double(entry.lifetime) / 1e9)
        }.sorted { ($0.host, $0.server ?? "") < ($1.host, $1.server ?? "") }
    }

    private mutating func dropOldest() {
        if let oldest = entries.min(by: { $0.value.found < $1.value.found }) { entries[oldest.key] = nil }
    }
}
