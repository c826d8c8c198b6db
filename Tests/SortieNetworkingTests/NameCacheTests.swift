import Foundation
import Testing

@testable import SortieNetworking

/// Tests the lifetime of cached names with exact numbers (S3.12).
@Suite struct NameCacheTests {
    private static let second: Int64 = 1_000_000_000
    private let name = NameCache.Name(host: "shop.test")
    private let addresses = ["127.0.0.2"].compactMap { IPAddress($0) }

    private enum State: Equatable { case nothing, refused, fresh, stale(asks: Bool) }

    private func state(_ cache: NameCache, at seconds: Int64) -> State {
        switch cache.knowledge(of: name, at: seconds * Self.second) {
        case .nothing: .nothing
        case .refused: .refused
        case .fresh: .fresh
        case .stale(_, let shouldAsk): .stale(asks: shouldAsk)
        }
    }

    @Test(
        arguments: [
            (nil, 60), (Duration.seconds(300), 300), (.seconds(0), 5), (.seconds(1 << 31), 86_400),
        ] as [(Duration?, Int64)])
    func `a response is fresh for its lifetime, within limits`(_ lifetime: Duration?, _ seconds: Int64) {
        var cache = NameCache()
        #expect(state(cache, at: 0) == .nothing)
        cache.found(addresses, lifetime: lifetime, of: name, at: 100 * Self.second)
        #expect(state(cache, at: 100 + seconds - 1) == .fresh)
        #expect(state(cache, at: 100 + seconds) == .stale(asks: true))
        #expect(state(cache, at: 100 + seconds + 3 * 86_400) == .nothing)
    }

    @Test func `a failure is cached for three seconds, and does not replace an older result`() {
        var cache = NameCache()
        cache.refused("no", of: name, at: 0)
        #expect(state(cache, at: 2) == .refused)
        #expect(state(cache, at: 3) == .nothing)
        cache.found(addresses, lifetime: nil, of: name, at: 10 * Self.second)
        cache.refused("no", of: name, at: 80 * Self.second)
        #expect(state(cache, at: 81) == .stale(asks: false))
        #expect(state(cache, at: 83) == .stale(asks: true))
    }

    @Test func `a stored result is valid for the rest of its lifetime, also after a restart of the machine`() {
        var cache = NameCache()
        cache.found(addresses, lifetime: .seconds(100), of: name, at: 5000 * Self.second)
        let kept = cache.kept(at: 5040 * Self.second, date: 1_000_000)
        #expect(kept.map(\.found.timeIntervalSince1970) == [999_960])
        var next = NameCache()
        next.adopt(kept, at: 1 * Self.second, date: 1_000_050)
        #expect(state(next, at: 1) == .fresh)
        #expect(state(next, at: 12) == .stale(asks: true))
    }

    @Test func `an invalid stored result is ignored`() {
        func kept(_ host: String, _ addresses: [String], server: String? = nil, found: Double = 0, lifetime: Double = 60) -> ResolvedName {
            ResolvedName(host: host, server: server, addresses: addresses, found: Date(timeIntervalSince1970: found), lifetime: lifetime)
        }
        var cache = NameCache()
        cache.adopt(
            [
                kept("a", ["nonsense"]), kept("b", []), kept("c", ["127.0.0.1"], server: "::"), kept("d", ["127.0.0.1"], found: 99),
                kept("e", ["127.0.0.1"], lifetime: -1), kept("f", ["127.0.0.1"], lifetime: .infinity),
                kept("g", ["127.0.0.1"], found: -1e9),
            ], at: 0, date: 50)
        #expect(cache.kept(at: 0, date: 50).map(\.host) == ["f"])
    }
}
