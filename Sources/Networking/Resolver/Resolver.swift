internal import Model
internal import Synchronization

/// Names to addresses, kept for a while; one question a name at a time, and never inside libcurl, whose loop would stand still.
final class Resolver: Sendable {
    private struct Entry {
        var addresses: [IPAddress]
        var expires: UInt64
    }

    /// What is known or was found.
    struct Answer {
        var addresses: [IPAddress]
        /// Where they come from, in words.
        var source: String
    }

    /// Asks the system for a host's addresses and hands over its answer once, on any thread.
    typealias Lookup = @Sendable (_ host: String, _ answer: @escaping @Sendable (NameLookup.Answer) -> Void) -> Void

    private typealias Waiter = @Sendable (Result<[IPAddress], NetworkError>) -> Void

    private struct State {
        var entries: [String: Entry] = [:]
        var waiting: [String: [Waiter]] = [:]
        var numericHosts: [String: Answer] = [:]
    }

    private let ask: Lookup
    private let state = Mutex(State())

    /// A resolver that knows nothing yet.
    init(asking ask: @escaping Lookup = NameLookup.start) {
        self.ask = ask
    }

    /// How long an answer of the system is used: it does not tell how long it holds.
    private static let lifetime: UInt64 = 60_000_000_000

    /// The addresses of `host`, if they are known now.
    func known(_ host: String) -> Answer? {
        if let answer = numeric(host) { return answer }
        if let answer = Resolver.loopback(host) { return answer }
        guard let entry = state.withLock({ $0.entries[host] }), entry.expires > MonotonicClock.now else { return nil }
        return Answer(addresses: entry.addresses, source: "looked up before")
    }

    /// The address that `host` is, remembered, because a busy program asks for the same one thousands of times a second.
    private func numeric(_ host: String) -> Answer? {
        // A name ends in a letter, an IPv4 address in a digit, an IPv6 address has colons.
        guard let last = host.utf8.last, last >= 0x30 && last <= 0x39 || host.utf8.contains(0x3a) else { return nil }
        if let answer = state.withLock({ $0.numericHosts[host] }) { return answer }
        guard let address = IPAddress(host) else { return nil }
        let answer = Answer(addresses: [address], source: "written in the URL")
        state.withLock { state in
            if state.numericHosts.count > 1000 { state.numericHosts.removeAll() }
            state.numericHosts[host] = answer
        }
        return answer
    }

    /// `localhost` is this machine, whatever a resolver says (RFC 6761 §6.3).
    private static func loopback(_ host: String) -> Answer? {
        guard host == "localhost" || host.hasSuffix(".localhost") else { return nil }
        return Answer(addresses: ["127.0.0.1", "::1"].compactMap { IPAddress($0) }, source: "localhost is this machine")
    }

    /// Asks for the addresses of `host`; callers who ask while a question is out share its answer.
    func lookUp(_ host: String, answer: @escaping @Sendable (Result<[IPAddress], NetworkError>) -> Void) {
        let (found, isFirst) = state.withLock { state -> ([IPAddress]?, Bool) in
            // The answer may have come since the caller looked.
            if let entry = state.entries[host], entry.expires > MonotonicClock.now { return (entry.addresses, false) }
            state.waiting[host, default: []].append(answer)
            return (nil, state.waiting[host]?.count == 1)
        }
        if let found { return answer(.success(found)) }
        if isFirst { ask(host) { self.finish(host, $0) } }
    }

    private func finish(_ host: String, _ answer: NameLookup.Answer) {
        let result: Result<[IPAddress], NetworkError>
        switch answer {
        case .addresses(let addresses):
            result = .success(addresses)
        case .failed(let reason):
            result = .failure(
                NetworkError(
                    .hostNotFound, "the host \(host) was not found",
                    hint: "check the spelling, or give its address with --resolve \(host):ADDRESS",
                    underlying: reason))
        }
        let waiters = state.withLock { state in
            if case .success(let addresses) = result {
                state.entries[host] = Entry(addresses: addresses, expires: MonotonicClock.now + Self.lifetime)
            }
            return state.waiting.removeValue(forKey: host) ?? []
        }
        for waiter in waiters { waiter(result) }
    }

    /// Puts the address that worked before the others of its host, so that the next request does not try the broken one again.
    func prefer(_ address: IPAddress, for host: String) {
        state.withLock { state in
            guard let index = state.entries[host]?.addresses.firstIndex(of: address), index > 0 else { return }
            state.entries[host]?.addresses.swapAt(0, index)
        }
    }
}
