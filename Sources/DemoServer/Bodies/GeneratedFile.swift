import Foundation
import SortieBase

/// A file whose content is a function of the offset, so that twenty gigabytes need no memory and no disk space.
///
/// It consists of blocks of 64 KiB. All blocks share one pseudo-random pattern that depends on the seed; the first 16
/// bytes of a block depend on its index, so that any digest detects a misplaced block.
struct GeneratedFile: Sendable {
    static let blockBytes = 64 * 1024

    let size: Int
    let seed: UInt64
    private let pattern: Data

    init(size: Int, seed: UInt64) {
        (self.size, self.seed) = (size, seed)
        var pattern = Data(capacity: Self.blockBytes)
        for word in 0..<UInt64(Self.blockBytes / 8) {
            withUnsafeBytes(of: Self.mix(seed &* 0x1_0001 &+ word).littleEndian) { pattern.append(contentsOf: $0) }
        }
        self.pattern = pattern
    }

    /// The bytes from `offset` on: at most `limit`, and at most to the end of the block.
    func bytes(at offset: Int, limit: Int) -> Data {
        let index = offset / Self.blockBytes
        let start = offset % Self.blockBytes
        let count = max(0, min(limit, Self.blockBytes - start, size - offset))
        guard start < 16 else { return pattern.subdata(in: start..<(start + count)) }
        var block = pattern
        var head = Data(capacity: 16)
        for word in [UInt64(index) ^ seed, Self.mix(UInt64(index) &+ (seed << 32))] {
            withUnsafeBytes(of: word.littleEndian) { head.append(contentsOf: $0) }
        }
        block.replaceSubrange(0..<16, with: head)
        return block.subdata(in: start..<(start + count))
    }

    /// The bytes of a range, generated while they are sent.
    func body(_ range: Range<Int>, rate: Int?) -> PulledBytes<Reader> {
        PulledBytes(state: Reader(offset: range.lowerBound, end: range.upperBound, pace: Pace(rate: rate))) { reader in
            guard reader.offset < reader.end else { return nil }
            let data = bytes(at: reader.offset, limit: min(reader.pace.chunkBytes, reader.end - reader.offset))
            reader.offset += data.count
            try await reader.pace.pass(data.count)
            return data
        }
    }

    struct Reader: Sendable {
        var offset: Int
        let end: Int
        var pace: Pace
    }

    private static func mix(_ value: UInt64) -> UInt64 {
        var generator = SplitMix64(seed: value)
        return generator.next()
    }
}

/// A single byte range of a request (RFC 9110 §14.1.2), resolved against a length.
enum ByteRange: Equatable {
    /// No range, an unknown or malformed one, or several ranges: the whole representation is sent.
    case whole
    case part(Range<Int>)
    case unsatisfiable

    /// Parses a `Range` header: `bytes=0-99`, `bytes=100-`, `bytes=-500`.
    init(_ header: String?, length: Int) {
        guard let header, header.lowercased().hasPrefix("bytes=") else {
            self = .whole
            return
        }
        let spec = header.dropFirst(6).filter { $0 != " " }
        let parts = spec.split(separator: "-", omittingEmptySubsequences: false)
        guard !spec.contains(","), parts.count == 2, parts.allSatisfy({ $0.utf8.allSatisfy(Self.isDigit) }) else {
            self = .whole
            return
        }
        switch (parts[0].isEmpty, parts[1].isEmpty) {
        case (true, true): self = .whole
        case (true, false):
            let count = Self.number(parts[1])
            self = count == 0 || length == 0 ? .unsatisfiable : .part(max(0, length - count)..<length)
        case (false, _):
            let first = Self.number(parts[0])
            let last = parts[1].isEmpty ? Int.max : Self.number(parts[1])
            if last < first {
                self = .whole
            } else {
                self = first >= length ? .unsatisfiable : .part(first..<(min(last, length - 1) + 1))
            }
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    /// A number that exceeds `Int` is beyond any end.
    private static func number(_ digits: some StringProtocol) -> Int {
        Int(digits) ?? .max
    }
}

/// Limits the rate of a stream by sleeping until its bytes are due.
struct Pace: Sendable {
    /// The rate in bytes per second; nil for no limit.
    let rate: Int?
    private let start = ContinuousClock.now
    private var bytes = 0

    init(rate: Int?) {
        self.rate = rate
    }

    /// The preferred size of the next chunk: about a tenth of a second's worth.
    var chunkBytes: Int {
        guard let rate else { return 256 * 1024 }
        return max(1, min(256 * 1024, rate / 10))
    }

    /// Waits until `count` more bytes may pass.
    mutating func pass(_ count: Int) async throws {
        bytes += count
        guard let rate else { return }
        try await ContinuousClock().sleep(until: start.advanced(by: .seconds(Double(bytes) / Double(rate))))
    }
}
