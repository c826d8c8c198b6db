import Testing

@testable import SortieNetworking

/// Tests the selection of addresses with exact numbers (S3.8, S3.9, `EngineFacts.md` 4.2).
@Suite struct HostScoresTests {
    private let a: IPAddress
    private let b: IPAddress
    private let c: IPAddress

    init() throws {
        a = try #require(IPAddress("127.0.0.2"))
        b = try #require(IPAddress("127.0.0.3"))
        c = try #require(IPAddress("::1"))
    }

    private static let second: UInt64 = 1_000_000_000
    private static func connect(_ milliseconds: Double) -> AddressStatistics.Outcome { .success(.connect(milliseconds / 1000)) }

    private func score(_ outcomes: [AddressStatistics.Outcome]) -> AddressStatistics {
        var score = AddressStatistics()
        for outcome in outcomes { _ = score.note(outcome, at: 0) }
        return score
    }

    /// Records outcomes of one address until a switch occurs; returns the switch and the number of outcomes.
    private func feed(
        _ scores: inout HostScores, _ address: IPAddress, _ outcomes: [AddressStatistics.Outcome], at now: UInt64 = 0
    ) -> (change: HostScores.Switch, after: Int)? {
        for (index, outcome) in outcomes.enumerated() {
            if let change = scores.note(address, outcome, at: now) { return (change, index + 1) }
        }
        return nil
    }

    private func order(_ scores: inout HostScores, mayProbe: Bool = false, at now: UInt64 = 0) -> [IPAddress] {
        scores.order([a, b, c], mayProbe: mayProbe, at: now).map(\.address)
    }

    @Test func `S3.8 the score is 0.6 of a short connect time and 0.4 of success`() {
        // 200 ms is half of the range; with 15 of 15, success is 16/17.
        let even = score(Array(repeating: Self.connect(200), count: 15))
        #expect(abs(even.score - (0.6 * 0.5 + 0.4 * 16 / 17)) < 1e-9)
        let quick = score(Array(repeating: Self.connect(50), count: 15))
        #expect(abs(quick.score - (0.6 * 0.8 + 0.4 * 16 / 17)) < 1e-9)
        let broken = score(Array(repeating: .failure, count: 15))
        #expect(abs(broken.score - 0.4 / 17) < 1e-9)
        #expect(AddressStatistics().score == 0.7)
    }

    @Test func `only the last fifteen requests count`() {
        let score = score(Array(repeating: .failure, count: 40) + Array(repeating: Self.connect(10), count: 12))
        #expect(score.requests == 15)
        #expect(score.successes == 12)
    }

    @Test func `new times have more weight than old ones, and the first byte less than connecting`() throws {
        let way = try #require(score([Self.connect(100), Self.connect(200)]).latency)
        #expect(abs(way - 0.13) < 1e-9)
        let byte = try #require(score([Self.connect(100), .success(.firstByte(0.2))]).latency)
        #expect(abs(byte - 0.11) < 1e-9)
        #expect(score([Self.connect(100), .success(nil)]).latency == 0.1)
    }

    @Test func `S3.8 the first connection uses the first address of the response, later ones the address in use`() {
        var scores = HostScores()
        let first = scores.order([a, b, c], mayProbe: true, at: 0)
        #expect(first.map(\.address) == [a, b, c])
        #expect(first.map(\.choice.reason) == [.first, .next, .next])
        #expect(feed(&scores, a, [Self.connect(1)]) == nil)
        #expect(scores.order([a, b, c], mayProbe: true, at: 0)[0].choice.reason == .inUse)
    }

    @Test func `S3.9 an address is evaluated at its fifteenth request, and left when its average is above 200 ms`() throws {
        var scores = HostScores()
        _ = order(&scores)
        let fed = feed(&scores, a, Array(repeating: Self.connect(260), count: 30))
        let change = try #require(fed)
        #expect(change.after == 15)
        #expect(change.change.to == b)
        // 0.6 · 200/460 + 0.4 · 16/17
        #expect(
            change.change.text
                == "switched from 127.0.0.2 (score 0.64: 260 ms, 15 of the last 15 succeeded) to 127.0.0.3 (score 0.70, not tried yet): "
                + "its average latency of 260 ms is above 200 ms")
        #expect(order(&scores) == [b, c, a])
    }

    @Test func `S3.9 an address below 200 ms is kept, unless another is better by 0.1`() {
        var scores = HostScores()
        _ = order(&scores)
        #expect(feed(&scores, a, Array(repeating: Self.connect(199), count: 60)) == nil)
    }

    @Test func `a slow address stays in use where all others are worse`() {
        var scores = HostScores()
        _ = order(&scores)
        for other in [b, c] { _ = feed(&scores, other, Array(repeating: Self.connect(900), count: 14)) }
        #expect(feed(&scores, a, Array(repeating: Self.connect(300), count: 60)) == nil)
        #expect(scores.current == a)
    }

    @Test func `S3.9 a score that is better by 0.1 causes a switch`() throws {
        var scores = HostScores()
        _ = order(&scores)
        _ = feed(&scores, b, Array(repeating: Self.connect(10), count: 14))
        // 0.6 · 200/300 + 0.4 · 16/17 = 0.776, against 0.6 · 200/210 + 0.4 · 15/16 = 0.946
        let fed = feed(&scores, a, Array(repeating: Self.connect(100), count: 30))
        let change = try #require(fed)
        #expect(change.after == 15 && change.change.to == b)
        #expect(change.change.text.hasSuffix("the score of the other address is better by 0.1 or more"))
    }

    @Test func `a first failure of an unknown address causes a switch`() throws {
        var scores = HostScores()
        _ = order(&scores)
        // 0.4 · 1/3 = 0.13, against 0.70
        let noted = scores.note(a, .failure, at: 0)
        let change = try #require(noted)
        #expect(change.to == b && change.text.contains("score 0.13: 0 of the last 1 succeeded"))
    }

    @Test func `S3.9 success below 0.8 causes a switch from a fast address`() throws {
        var scores = HostScores()
        _ = order(&scores)
        #expect(feed(&scores, a, Array(repeating: Self.connect(0), count: 13)) == nil)
        // 13 of 14 is (13+1)/(14+2) = 0.875, 13 of 15 is 14/17 = 0.82, then 12 of 15 is 13/17 = 0.76
        #expect(scores.note(a, .failure, at: 0) == nil)
        #expect(scores.note(a, .failure, at: 0) == nil)
        let noted = scores.note(a, .failure, at: 0)
        let change = try #require(noted)
        #expect(change.text.hasSuffix("only 12 of its last 15 requests succeeded"))
    }

    @Test func `success is not evaluated before three requests`() {
        var scores = HostScores()
        _ = order(&scores)
        _ = scores.note(a, Self.connect(0), at: 0)
        // 1 of 2 is 0.5, but the score is 0.6 + 0.4 · 0.5 = 0.8, above the 0.7 of the others.
        #expect(scores.note(a, .failure, at: 0) == nil)
    }

    @Test func `there are at least five seconds between two switches`() throws {
        var scores = HostScores()
        _ = order(&scores)
        #expect(scores.note(a, .failure, at: 0)?.to == b)
        #expect(scores.note(b, .failure, at: 4 * Self.second) == nil)
        #expect(scores.note(b, .failure, at: 5 * Self.second)?.to == c)
    }

    @Test func `one of twenty requests retries an address that was left for a minute, and the address is used again`() throws {
        var scores = HostScores()
        _ = order(&scores)
        #expect(scores.note(a, .failure, at: 0)?.to == b)
        for _ in 0..<100 { #expect(order(&scores, mayProbe: true, at: 59 * Self.second).first == b) }
        let probes = (0..<40).filter { _ in order(&scores, mayProbe: true, at: 60 * Self.second).first == a }
        #expect(probes.count == 2)
        for _ in 0..<40 { #expect(order(&scores, mayProbe: false, at: 60 * Self.second).first == b) }
        // Earlier results no longer count: one success is 0.6 · 200/201 + 0.4 · 2/3.
        _ = feed(&scores, b, Array(repeating: Self.connect(400), count: 3), at: 60 * Self.second)
        #expect(scores.note(a, Self.connect(1), at: 60 * Self.second)?.to == a)
        #expect(scores.score(of: a).requests == 1)
    }

    @Test func `when the address in use is no longer in the response, the best of the others is used`() {
        var scores = HostScores()
        _ = order(&scores)
        _ = scores.note(c, Self.connect(1), at: 0)
        #expect(scores.order([b, c], mayProbe: false, at: 0).map(\.address) == [c, b])
        #expect(scores.note(a, .failure, at: 0) == nil)
    }
}
