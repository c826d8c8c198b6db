import Support
import Testing

@testable import SortieNetworking

/// Tests which connection fetches which segment of a file (`ResumeRules.md` 5.7).
struct SegmentMapTests {
    private func map(_ total: Int64?, committed: Int64 = 0) -> SegmentMap {
        var manifest = DownloadManifest(key: "k", url: "u", destination: "/f", now: 0)
        manifest.total = total
        manifest.committed = committed
        return SegmentMap(manifest)
    }

    private func claim(_ map: inout SegmentMap, sharing: Bool, now: UInt64) throws -> SegmentMap.Segment {
        let segment = map.claim(sharing: sharing, now: now)
        return try #require(segment)
    }

    private static let mebibyte: Int64 = 1 << 20

    @Test func `each additional connection takes half of the largest missing segment`() throws {
        var map = map(16 * Self.mebibyte)
        for _ in 0..<4 { _ = map.claim(sharing: true, now: 0) }
        #expect(map.stretches.map(\.start) == [0, 4, 8, 12].map { $0 * Self.mebibyte })
        #expect(map.stretches.last?.end == 16 * Self.mebibyte)
    }

    @Test func `bytes that are being written are not reassigned`() throws {
        var map = map(16 * Self.mebibyte)
        let first = try claim(&map, sharing: false, now: 0)
        _ = map.reserve(first.id, until: 12 * Self.mebibyte)
        let second = try claim(&map, sharing: true, now: 0)
        #expect(second.start == 14 * Self.mebibyte)
    }

    @Test func `less than a mebibyte is not divided, but a silent segment is taken completely`() throws {
        var map = map(2 * Self.mebibyte - 1)
        let first = try claim(&map, sharing: true, now: 0)
        #expect(map.claim(sharing: true, now: SegmentMap.silence - 1) == nil)
        let heir = try claim(&map, sharing: true, now: SegmentMap.silence)
        #expect(heir.start == 0)
        #expect(map[first.id] == nil, "what comes late for it is dropped")
    }

    @Test func `an assigned segment without data is returned`() throws {
        var map = map(16 * Self.mebibyte)
        let first = try claim(&map, sharing: true, now: 0)
        let second = try claim(&map, sharing: true, now: 0)
        map.release(second.id)
        #expect(map[first.id]?.end == 16 * Self.mebibyte)
        #expect(map.stretches.isEmpty)
    }

    @Test func `a file without a known end is not divided`() {
        var map = map(nil)
        _ = map.claim(sharing: true, now: 0)
        #expect(map.claim(sharing: true, now: .max) == nil)
    }

    @Test func `an inconsistent server leaves the bytes before the first gap`() throws {
        var map = map(16 * Self.mebibyte)
        let first = try claim(&map, sharing: true, now: 0)
        let second = try claim(&map, sharing: true, now: 0)
        _ = map.reserve(first.id, until: 3 * Self.mebibyte)
        map.fill(first.id, now: 0)
        _ = map.reserve(second.id, until: 10 * Self.mebibyte)
        map.fill(second.id, now: 0)
        map.collapse()
        #expect(map.segments.map(\.position) == [3 * Self.mebibyte])
        #expect(map[first.id]?.end == 16 * Self.mebibyte, "who fetches what comes next goes on")
        #expect(map[second.id] == nil)
    }

    /// Connections that start, write, end and share segments in any order omit no byte and fetch none twice.
    @Test(arguments: UInt64(0)..<200) func `the segments form the file in every sequence of operations`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let total = Int64.random(in: 1...64 << 20, using: &random)
        var map = map(total, committed: Int64.random(in: 0..<total, using: &random))
        var claimed: [SegmentMap.ID] = []
        var now: UInt64 = 0
        for _ in 0..<2000 where !map.isComplete {
            now += 100_000_000
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<15: if claimed.count < 4, let segment = map.claim(sharing: .random(using: &random), now: now) { claimed.append(segment.id) }
            case 15..<90:
                guard let id = claimed.randomElement(using: &random), let segment = map[id] else { continue }
                _ = map.reserve(id, until: segment.position + Int64.random(in: 1...1 << 20, using: &random))
                map.fill(id, now: now)
            case 90..<97:
                guard let index = claimed.indices.randomElement(using: &random) else { continue }
                map.release(claimed.remove(at: index))
            case 97: map.collapse()
            default: claimed.removeAll { map[$0] == nil }
            }
            let segments = map.segments
            #expect(segments.first?.start == 0 && segments.last?.end == total)
            #expect(zip(segments, segments.dropFirst()).allSatisfy { $0.end == $1.start })
            #expect(segments.allSatisfy { $0.start <= $0.position && $0.position <= $0.end ?? .max })
            #expect(Set(segments.map(\.id)).count == segments.count)
            #expect(map.received >= map.prefix && map.received <= total)
        }
    }
}
