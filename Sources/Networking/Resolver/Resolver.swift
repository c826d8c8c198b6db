internal import Model

/// Names to addresses, kept for a while; one question a name at a time, and never inside libcurl, whose loop would stand still.
@Engine
final class Resolver {
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

    private typealias Waiter = (Result<[IPAddress], NetworkError>) -> Void

    private let ask: Lookup
    private var entries: [String: Entry] = [:]
    private var waiting: [String: [UInt64: Waiter]] = [:]
    private var numericHosts: [String: Answer] = [:]
    private var lastWaiter: UInt64 = 0

    /// A resolver that knows nothing yet.
    nonisolated init(asking ask: @escaping Lookup = NameLookup.start) {
        self.ask = ask
    }

    /// How long an answer of the system is used: it does not tell how long it holds.
    private static let lifetime: UInt64 = 60_000_000_000

    /// The addresses of `host`, if they are known now.
    func known(_ host: String) -> Answer? {
        if let answer = numeric(host) { return answer }
        if let answer = Resolver.loopback(host) { return answer }
        guard let entry = entries[host], entry.expires > MonotonicClock.now else { return nil }
        return Answer(addresses: entry.addresses, source: "looked up before")
    }

    /// The address that `host` is, remembered, because a busy program asks for the same one thousands of times a second.
    private func numeric(_ host: String) -> Answer? {
        // A name ends in a letter, an IPv4 address in a digit, an IPv6 address has colons.
        guard let last = host.utf8.last, last >= 0x30 && last <= 0x39 || host.utf8.contains(0x3a) else { return nil }
        if let answer = numericHosts[host] { return answer }
        guard let address = IPAddress(host) else { return nil }
        let answer = Answer(addresses: [address], source: "written in the URL")
        if numericHosts.count > 1000 { numericHosts.removeAll() }
        numericHosts[host] = answer
        return answer
    }

    /// `localhost` is this machine, whatever a resolver says (RFC 6761 §6.3).
    private static func loopback(_ host: String) -> Answer? {
        guard host == "localhost" || host.hasSuffix(".localhost") else { return nil }
        return Answer(addresses: ["127.0.0.1", "::1"].compactMap { IPAddress($0) }, source: "localhost is this machine")
    }

    /// Asks for the addresses of `host`; callers who ask while a question is out share its answer.
    ///
    /// - Returns: what forgets the caller: `answer` is not called after it.
    func lookUp(_ host: String, answer: @escaping (Result<[IPAddress], NetworkError>) -> Void) -> () -> Void {
        lastWaiter += 1
        let id = lastWaiter
        let isFirst = waiting[host] == nil
        waiting[host, default: [:]][id] = answer
        if isFirst {
            ask(host) { answer in
                Task { @Engine in self.finish(host, answer) }
            }
        }
        return { [weak self] in self?.waiting[host]?[id] = nil }
    }

    private func finish(_ host: String, _ answer: NameLookup.Answer) {
        let waiters = waiting.removeValue(forKey: host) ?? [:]
        let result: Result<[IPAddress], NetworkError>
        switch answer {
        case .addresses(let addresses):
            entries[host] = Entry(addresses: addresses, expires: MonotonicClock.now + Self.lifetime)
            result = .success(addresses)
        case .failed(let reason):
            result = .failure(
                NetworkError(
                    .hostNotFound, "the host \(host) was not found",
                    hint: "check the spelling, or give its address with --resolve \(host):ADDRESS",
                    underlying: reason))
        }
        for id in waiters.keys.sorted() { waiters[id]?(result) }
    }

    /// Puts the address that worked before the others of its host, so that the next request does not try the broken one again.
    func prefer(_ address: IPAddress, for host: String) {
        guard var entry = entries[host], let index = entry.addresses.firstIndex(of: address), index > 0 else { return }
        entry.addresses.swapAt(0, index)
        entries[host] = entry
    }
}
