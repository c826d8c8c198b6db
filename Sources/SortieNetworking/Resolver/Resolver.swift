internal import DequeModule
internal import FoundationEssentials
internal import SortieHTTP
internal import Synchronization

/// Resolves names to addresses outside of libcurl, whose lookups would block the loop.
///
/// One lookup runs per name at a time. Expired addresses are used while the next lookup runs, and a failed lookup is
/// not repeated at once. Each caller has its own time limit; the lookup continues after the limit of a caller.
final class Resolver: Sendable {
    typealias Name = NameCache.Name

    /// Known or resolved addresses.
    struct Answer {
        var addresses: [IPAddress]
        /// The source of the addresses as text, for display.
        var source: String
        /// Whether the addresses have expired, so that a new lookup may give others.
        var isStale = false
        /// Whether the host is its only address, in the usual notation.
        var isNumeric = false
    }

    /// Queries the system for a host's addresses and delivers the answer once, on any thread.
    typealias Lookup = @Sendable (_ host: String, _ answer: @escaping @Sendable (NameLookup.Answer) -> Void) -> Void
    /// Queries a DNS over HTTPS server.
    typealias ServerLookup = @Sendable (_ host: String, _ server: HTTPURL, _ answer: @escaping @Sendable (NameLookup.Answer) -> Void) -> Void

    private typealias Waiter = @Sendable (Result<Answer, NetworkError>) -> Void

    private struct State {
        var cache = NameCache()
        var waiting: [Name: [Waiter]] = [:]
        var numericHosts: [String: Answer] = [:]
        /// The numeric host of the last request, which most requests share.
        var latestNumeric: (host: String, answer: Answer)?
        /// The number of running lookups, and the names that wait for one to end.
        var running = 0
        var queue = Deque<Name>()
        /// The names that are resolved in advance.
        var ahead: Set<Name> = []
        /// Incremented when the network changes; results of earlier lookups are not cached.
        var epoch = 0
        var observation: Reachability.Observation?
        var hasBegun = false
        /// The error of the stored addresses, until it is reported.
        var notice: String?
    }

    /// The largest number of concurrent lookups.
    ///
    /// Each lookup with the system's resolver occupies a thread that cannot be interrupted.
    private static let mostQuestions = 32

    private let ask: Lookup
    private let askServer: ServerLookup?
    private let archive: (any AddressArchive)?
    private let reachability: @Sendable () -> Reachability
    private let now: @Sendable () -> UInt64
    /// The scores of the addresses.
    let scores: AddressScores
    private let state = Mutex(State())
    /// Serialises writes to the store.
    private let saving = Mutex(())

    /// Creates a resolver that contains only the names stored by `archive`.
    ///
    /// - Parameter reachability: Reports network changes, which clear the cache. Evaluated with the first lookup.
    init(
        asking ask: @escaping Lookup = NameLookup.start, askingServers askServer: ServerLookup? = nil, keeper archive: (any AddressArchive)? = nil,
        reachability: @escaping @Sendable () -> Reachability = { .system }, now: @escaping @Sendable () -> UInt64 = { MonotonicClock.now }
    ) {
        (self.ask, self.askServer, self.archive, self.reachability, self.now) = (ask, askServer, archive, reachability, now)
        scores = AddressScores(now: now)
    }

    deinit {
        if let observation = state.withLock({ $0.observation }) { reachability().end(observation) }
    }

    /// The cached addresses of a name, or its recent failure; nil when neither is cached.
    ///
    /// Expired addresses are returned, and a new lookup starts in the background.
    func known(_ host: String, server: HTTPURL? = nil) -> Result<Answer, NetworkError>? {
        if let answer = numeric(host) { return .success(answer) }
        if let answer = Resolver.loopback(host) { return .success(answer) }
        begin()
        let name = Name(host: host, server: server)
        let now = Int64(clamping: now())
        let (knowledge, isDue) = state.withLock { state -> (NameCache.Knowledge, Bool) in
            let knowledge = state.cache.knowledge(of: name, at: now)
            guard case .stale(_, true) = knowledge, state.waiting[name] == nil else { return (knowledge, false) }
            state.waiting[name] = []
            return (knowledge, true)
        }
        if isDue { start(name) }
        switch knowledge {
        case .nothing: return nil
        case .refused(let words): return .failure(.notFound(host, words))
        case .fresh(let entry):
            return .success(Answer(addresses: entry.addresses, source: entry.isKept ? "resolved by an earlier program" : "resolved before"))
        case .stale(let entry, _):
            let age = Duration.seconds((now - entry.found) / 1_000_000_000).spoken
            return .success(Answer(addresses: entry.addresses, source: "resolved \(age) ago, refreshed in the background", isStale: true))
        }
    }

    /// The addresses of a name that are known without any lookup, for a preview: nothing is asked for, not even behind an answer whose time is over.
    func foreseen(_ host: String, server: HTTPURL? = nil) -> Answer? {
        if let answer = numeric(host) ?? Resolver.loopback(host) { return answer }
        let name = Name(host: host, server: server)
        let now = Int64(clamping: now())
        switch state.withLock({ $0.cache.knowledge(of: name, at: now) }) {
        case .nothing, .refused: return nil
        case .fresh(let entry): return Answer(addresses: entry.addresses, source: "resolved before")
        case .stale(let entry, _): return Answer(addresses: entry.addresses, source: "resolved before; sending resolves it again", isStale: true)
        }
    }

    /// What was wrong with the kept addresses, once.
    func takeNotice() -> String? {
        state.withLock { $0.notice.take() }
    }

    /// The address of a numeric host.
    ///
    /// It is cached, because a busy program uses the same host thousands of times per second.
    private func numeric(_ host: String) -> Answer? {
        // A name ends in a letter, an IPv4 address in a digit, and an IPv6 address contains colons.
        guard let last = host.utf8.last, last >= 0x30 && last <= 0x39 || host.utf8.contains(0x3a) else { return nil }
        let known = state.withLock { state -> Answer? in
            if let latest = state.latestNumeric, latest.host == host { return latest.answer }
            guard let answer = state.numericHosts[host] else { return nil }
            state.latestNumeric = (host, answer)
            return answer
        }
        if let known { return known }
        guard let address = IPAddress(host) else { return nil }
        let answer = Answer(addresses: [address], source: "written in the URL", isNumeric: address.description == host)
        state.withLock { state in
            if state.numericHosts.count > 1000 { state.numericHosts.removeAll() }
            state.numericHosts[host] = answer
        }
        return answer
    }

    /// `localhost` is always the loopback address (RFC 6761 §6.3).
    private static func loopback(_ host: String) -> Answer? {
        let name = host.hasSuffix(".") ? String(host.dropLast()) : host
        guard name == "localhost" || name.hasSuffix(".localhost") else { return nil }
        return thisMachine
    }

    private static let thisMachine = Answer(addresses: ["127.0.0.1", "::1"].compactMap { IPAddress($0) }, source: "localhost is this machine")

    // MARK: Lookups

    /// Looks up the addresses of a name.
    ///
    /// Callers that arrive during a lookup share its result.
    ///
    /// - Parameter isRenewal: Whether expired addresses are not acceptable, because none of them could be reached.
    func lookUp(
        _ host: String, server: HTTPURL? = nil, isRenewal: Bool = false, answer: @escaping @Sendable (Result<Answer, NetworkError>) -> Void
    ) {
        begin()
        let name = Name(host: host, server: server)
        let now = Int64(clamping: now())
        let (found, isFirst) = state.withLock { state -> (Result<NameCache.Entry, NetworkError>?, Bool) in
            // A lookup may have ended since the caller checked the cache.
            switch state.cache.knowledge(of: name, at: now) {
            case .fresh(let entry): return (.success(entry), false)
            case .stale(let entry, _) where !isRenewal: return (.success(entry), false)
            case .refused(let words) where !isRenewal: return (.failure(.notFound(host, words)), false)
            case .nothing, .stale, .refused: break
            }
            let isFirst = state.waiting[name] == nil
            state.waiting[name, default: []].append(answer)
            return (nil, isFirst)
        }
        if let found { return answer(found.map { Answer(addresses: $0.addresses, source: "resolved before") }) }
        if isFirst { start(name) }
    }

    /// Resolves names in advance, now and after every network change.
    ///
    /// Replaces the names of the previous call.
    func resolveAhead(_ names: Set<Name>) {
        let names = names.filter { numeric($0.host) == nil && Resolver.loopback($0.host) == nil }
        state.withLock { $0.ahead = names }
        for name in names { lookUp(name.host, server: name.server) { _ in } }
    }

    private func start(_ name: Name) {
        let epoch = state.withLock { state -> Int? in
            guard state.running < Self.mostQuestions else {
                state.queue.append(name)
                return nil
            }
            state.running += 1
            return state.epoch
        }
        if let epoch { askFor(name, epoch) }
    }

    private func askFor(_ name: Name, _ epoch: Int) {
        guard let server = name.server, let askServer else { return ask(name.host) { self.finish(name, epoch, $0, source: "resolved") } }
        askServer(name.host, server) { answer in
            // When the server does not respond, the system's resolver is used (`EngineFacts.md` 4.2).
            guard case .unavailable(let words) = answer else { return self.finish(name, epoch, answer, source: "resolved at \(server.origin)") }
            self.ask(name.host) { answer in
                guard case .failed(let system) = answer else {
                    return self.finish(name, epoch, answer, source: "resolved by the system, because \(words)")
                }
                self.finish(name, epoch, .failed("\(words); the system: \(system)"), source: "")
            }
        }
    }

    private func finish(_ name: Name, _ epoch: Int, _ answer: NameLookup.Answer, source: String) {
        let now = Int64(clamping: now())
        let (result, waiters, next, isStored) = state.withLock { state in
            let result: Result<Answer, NetworkError>
            let isCurrent = state.epoch == epoch
            switch answer {
            case .addresses(let addresses, let lifetime):
                let interleaved = addresses.interleaved
                result = .success(Answer(addresses: interleaved, source: source))
                if isCurrent { state.cache.found(interleaved, lifetime: lifetime, of: name, at: now) }
            case .failed(let words), .unavailable(let words):
                result = .failure(.notFound(name.host, words))
                if isCurrent { state.cache.refused(words, of: name, at: now) }
            case .notStarted(let words):
                result = .failure(.lookupNotStarted(name.host, words))
            }
            state.running -= 1
            let next = state.queue.popFirst()
            if next != nil { state.running += 1 }
            let isStored = if case .success = result { isCurrent } else { false }
            return (result, state.waiting.removeValue(forKey: name) ?? [], next.map { ($0, state.epoch) }, isStored)
        }
        for waiter in waiters { waiter(result) }
        if let next { askFor(next.0, next.1) }
        // After the waiters, on the lookup's thread, so that writing delays no request.
        if isStored { keep() }
    }

    // MARK: Storage and invalidation

    /// Loads the stored names and observes network changes.
    ///
    /// Runs with the first lookup.
    private func begin() {
        guard
            !state.withLock({ Swift.exchange(&$0.hasBegun, with: true) })
        else { return }
        let observation = reachability().observe { [weak self] change in
            if change.isOtherNetwork { self?.networkChanged() }
        }
        state.withLock { $0.observation = observation }
        guard let archive else { return }
        do {
            let names = try archive.load()
            let now = Int64(clamping: now())
            state.withLock { $0.cache.adopt(names, at: now, date: Date().timeIntervalSince1970) }
        } catch {
            state.withLock { $0.notice = "the addresses of earlier programs are not used: \(error)" }
        }
    }

    private func keep() {
        guard let archive else { return }
        saving.withLock { _ in
            let now = Int64(clamping: now())
            let names = state.withLock { $0.cache.kept(at: now, date: Date().timeIntervalSince1970) }
            do { try archive.keep(names) } catch {
                // Failing to store costs only time later; the next request reports it.
                state.withLock { $0.notice = "the addresses could not be stored: \(error)" }
            }
        }
    }

    /// On another network names may have other addresses, and failed names may exist.
    private func networkChanged() {
        scores.forgetAll()
        let ahead = state.withLock { state in
            state.cache.forgetAll()
            state.epoch += 1
            return state.ahead
        }
        for name in ahead { lookUp(name.host, server: name.server) { _ in } }
    }
}

extension NetworkError {
    fileprivate static func notFound(_ host: String, _ words: String) -> NetworkError {
        NetworkError(
            .hostNotFound, "the host \(host) was not found",
            remedy: .spellingOrAddress(host: host), underlying: words)
    }

    fileprivate static func lookupNotStarted(_ host: String, _ words: String) -> NetworkError {
        NetworkError(
            .internalFailure, "the lookup of \(host) could not start: \(words)", hint: "the system has too little memory or too many threads",
            underlying: words)
    }
}

extension [IPAddress] {
    /// The addresses with alternating families, beginning with the family of the first (RFC 8305 §4).
    ///
    /// An unreachable family then costs one attempt.
    var interleaved: [IPAddress] {
        guard let first else { return [] }
        let (same, other) = (filter { $0.isV6 == first.isV6 }, filter { $0.isV6 != first.isV6 })
        guard !other.isEmpty else { return self }
        return (0..<Swift.max(same.count, other.count)).flatMap { index in
            [same, other].compactMap { $0.indices.contains(index) ? $0[index] : nil }
        }
    }
}
