import Foundation
import Support
import Testing

@testable import SortieNetworking

/// Tests the decoders of content codings directly.
@Suite
struct DecodingStageTests {
    private static let text = Array(String(repeating: "decoded text ", count: 500).utf8)

    /// `text`, encoded with each coding by independent programs.
    private static let encoded: [(ContentCoding, [UInt8])] = [
        (.br, [31, 99, 25, 248, 141, 212, 78, 119, 243, 71, 75, 178, 49, 188, 6, 41, 123, 163, 19, 7, 70, 3, 71, 68, 0, 176, 136, 125, 0]),
        (
            .gzip,
            [
                31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 237, 199, 49, 1, 0, 32, 12, 3, 48, 43, 243, 70, 119, 243, 236, 64, 254, 44, 32, 32, 249, 146, 62, 55,
                157, 154, 126, 83, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 145, 159, 44, 104, 127, 135, 253, 100, 25, 0, 0,
            ]
        ),
        (
            .deflate,
            [
                120, 218, 237, 199, 49, 1, 0, 32, 12, 3, 48, 43, 243, 70, 119, 243, 236, 64, 254, 44, 32, 32, 249, 146, 62, 55, 157, 154, 126, 83, 17,
                17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 145, 159, 44, 226, 167, 96, 236,
            ]
        ),
        (
            .deflate,
            [
                237, 199, 49, 1, 0, 32, 12, 3, 48, 43, 243, 70, 119, 243, 236, 64, 254, 44, 32, 32, 249, 146, 62, 55, 157, 154, 126, 83, 17, 17, 17,
                17, 17, 17, 17, 17, 17, 17, 17, 17, 145, 159, 44,
            ]
        ),
        (
            .zstd,
            [
                40, 181, 47, 253, 4, 88, 173, 0, 0, 104, 100, 101, 99, 111, 100, 101, 100, 32, 116, 101, 120, 116, 32, 1, 0, 84, 9, 253, 252, 2, 158,
                180, 9, 13,
            ]
        ),
    ]

    /// Decodes pieces in sequence; returns all bytes before the first failure.
    private func decode(_ pieces: [ArraySlice<UInt8>], _ codings: [ContentCoding]) throws -> (bytes: [UInt8], error: NetworkError?) {
        let decoder = try #require(BodyDecoder(codings))
        var result: [UInt8] = []
        do throws(NetworkError) {
            for piece in pieces {
                try Array(piece).withUnsafeBufferPointer { (bytes) throws(NetworkError) in
                    var rest = UnsafeRawBufferPointer(bytes)
                    while true {
                        let output = try decoder.next(&rest)
                        guard !output.isEmpty else { break }
                        result += output
                    }
                    #expect(rest.isEmpty)
                }
            }
        } catch { return (result, error) }
        return (result, decoder.truncation)
    }

    @Test @Engine func `data is decoded in pieces of any size`() throws {
        for (coding, bytes) in Self.encoded {
            for size in [1, 2, 7, bytes.count] {
                let pieces = stride(from: 0, to: bytes.count, by: size).map { bytes[$0..<min($0 + size, bytes.count)] }
                let (decoded, error) = try decode(pieces, [coding])
                #expect(error == nil, "\(coding) in pieces of \(size)")
                #expect(decoded == Self.text, "\(coding) in pieces of \(size)")
            }
        }
    }

    @Test @Engine func `an input above 4 GiB is consumed up to the end of its stream`() throws {
        let member = try #require(Self.encoded.first { $0.0 == .gzip }).1
        // Only the first page is used.
        let size = Int(UInt32.max) + 4096
        let flags = Int32(MAP_PRIVATE) | Int32(MAP_ANONYMOUS) | Int32(MAP_NORESERVE)
        let memory = try #require(mmap(nil, size, PROT_READ | PROT_WRITE, flags, -1, 0))
        defer { munmap(memory, size) }
        memory.copyMemory(from: member, byteCount: member.count)
        let stage = try #require(InflatingStage(.gzip))
        var output = [UInt8](repeating: 0, count: 64 << 10)
        let step = output.withUnsafeMutableBytes { stage.decode(UnsafeRawBufferPointer(start: memory, count: size), into: $0) }
        #expect(step.consumed == member.count && step.produced == Self.text.count && step.failure == nil)
    }

    @Test @Engine func `data truncated anywhere is incomplete, and the decoded part is a prefix of the complete data`() throws {
        for (coding, bytes) in Self.encoded {
            for count in 1..<bytes.count {
                let (decoded, error) = try decode([bytes[..<count]], [coding])
                #expect(error?.code == .truncatedBody, "\(coding) cut after \(count)")
                #expect(Self.text.starts(with: decoded))
            }
            #expect(try decode([], [coding]).error == nil, "no byte at all is an empty body")
        }
    }

    @Test @Engine func `data after the end is an error`() throws {
        for (coding, bytes) in Self.encoded {
            let (decoded, error) = try decode([bytes[...], Array("no more".utf8)[...]], [coding])
            #expect(error?.code == .badEncoding, "\(coding)")
            #expect(decoded == Self.text)
        }
    }

    @Test @Engine func `what a stage decodes before its failure passes the later stages`() throws {
        for (coding, bytes) in Self.encoded {
            let (low, high) = (UInt8(bytes.count & 0xFF), UInt8(bytes.count >> 8))
            // A gzip header, a stored block, and the beginning of a block of an unknown type (RFC 1951 §3.2.3).
            let outer: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF, 0, low, high, ~low, ~high] + bytes + [7]
            for pieces in [[outer[...]], outer.indices.map { outer[$0...$0] }] {
                let (decoded, error) = try decode(pieces, [coding, .gzip])
                #expect(error?.code == .badEncoding && decoded == Self.text, "\(coding)")
            }
        }
    }

    @Test(
        arguments: [
            // The fourth of five parts of the text is damaged.
            (
                .br,
                [
                    27, 95, 0, 0, 196, 154, 91, 170, 199, 229, 43, 219, 218, 55, 75, 22, 195, 203, 62, 8, 58, 193, 125, 16, 68, 199, 56, 1, 90, 22,
                    220, 55,
                    216, 248, 124, 228, 145, 33, 39, 148, 4, 210, 222, 250, 56, 252, 10, 26, 151, 238, 20, 255, 140, 54, 218, 90, 84, 213, 54, 113,
                    191, 112,
                    210, 232, 200, 41, 19, 142, 174, 239, 207, 157, 231, 1, 176, 37, 166, 144, 43, 70, 159, 40, 8, 160, 39, 228, 15,
                ], #"{"name":"Ada","items":[1,2,3],"note":"a t"#, 92
            ),
            // A raw block, and one of the reserved type (RFC 8878 §3.1.1.2.2).
            (.zstd, [0x28, 0xb5, 0x2f, 0xfd, 0x20, 5, 5 << 3, 0, 0] + Array("hello".utf8) + [7, 0, 0], "hello", 5),
            // The same block as the last one, and a checksum that does not match.
            (.zstd, [0x28, 0xb5, 0x2f, 0xfd, 0x24, 5, 5 << 3 | 1, 0, 0] + Array("hello".utf8) + [1, 2, 3, 4], "hello", 5),
            // A stored block, and one of an unknown type (RFC 1951 §3.2.3).
            (.deflate, [0, 5, 0, 0xFA, 0xFF] + Array("hello".utf8) + [7], "hello", 5),
        ] as [(ContentCoding, [UInt8], String, Int)])
    @Engine func `the bytes before damage are delivered, in whatever pieces the data comes`(
        _ coding: ContentCoding, _ bytes: [UInt8], _ beginning: String, _ count: Int
    ) throws {
        for size in [bytes.count, 1, 3, 16] {
            let pieces = stride(from: 0, to: bytes.count, by: size).map { bytes[$0..<min($0 + size, bytes.count)] }
            let (decoded, error) = try decode(pieces, [coding])
            #expect(error?.code == .badEncoding, "pieces of \(size)")
            #expect(decoded.starts(with: beginning.utf8) && decoded.count == count, "pieces of \(size)")
        }
    }

    @Test @Engine func `damaged data ends with an error or with other bytes, in pieces as well, and never hangs`() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var state = seed
        func random(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        for _ in 0..<2000 {
            let (coding, bytes) = Self.encoded[random(Self.encoded.count)]
            var damaged = bytes
            for _ in 0...random(4) { damaged[random(bytes.count)] = UInt8(random(256)) }
            let codings = random(2) == 0 ? [coding] : [.gzip, coding]
            let (decoded, error) = try decode([damaged[...]], codings)
            #expect(error != nil || decoded.count <= 64 << 20, "seed \(seed)")
            let cut = random(damaged.count)
            let (pieces, last) = try decode([damaged[..<cut], damaged[cut...]], codings)
            #expect(pieces == decoded && last?.code == error?.code, "seed \(seed)")
        }
    }

    @Test @Engine func `the formats of zstd before RFC 8878 are refused, and no bytes of an earlier body are given`() throws {
        let frame: [UInt8] = [0x25, 0xb5, 0x2f, 0xfd, 0x20, 0x05]
        for size in [1, frame.count] {
            let pieces = stride(from: 0, to: frame.count, by: size).map { frame[$0..<min($0 + size, frame.count)] }
            let result = try decode(pieces, [.zstd])
            #expect(result.bytes.isEmpty && result.error?.code == .badEncoding)
        }
    }

    @Test @Engine func `a zstd frame that is to be skipped is no part of the text`() throws {
        let (coding, encoded) = try #require(Self.encoded.last)
        let skipped: [UInt8] = [0x5a, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 1, 2]
        for size in [1, 3, 100] {
            let all = skipped + encoded + skipped
            let pieces = stride(from: 0, to: all.count, by: size).map { all[$0..<min($0 + size, all.count)] }
            let result = try decode(pieces, [coding])
            #expect(result.bytes == Self.text && result.error == nil)
        }
    }

    @Test @Engine func `a zstd window above 8 MiB is rejected to limit memory`() throws {
        // A frame header that announces 64 MiB (RFC 8878 §3.1.1.1.2), and an empty last block.
        let frame: [UInt8] = [0x28, 0xb5, 0x2f, 0xfd, 0x00, 16 << 3, 0x01, 0x00, 0x00]
        let error = try decode([frame[...]], [.zstd]).error
        #expect(error?.code == .badEncoding)
        #expect(error?.message.contains("too much memory") == true)
    }
}
