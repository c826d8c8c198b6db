import Foundation

/// Writes gzip (RFC 1952) with stored blocks (RFC 1951 §3.2.4): valid gzip without compression.
enum Gzip {
    static func stored(_ data: Data) -> Data {
        var gzip = Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]) + blocks(data)
        append(crc32(data), to: &gzip)
        append(UInt32(truncatingIfNeeded: data.count), to: &gzip)
        return gzip
    }

    /// The stored blocks of bytes (RFC 1951 §3.2.4).
    static func blocks(_ data: Data) -> Data {
        var blocks = Data()
        var rest = data[...]
        repeat {
            let block = rest.prefix(0xFFFF)
            rest = rest.dropFirst(block.count)
            let length = UInt16(block.count)
            blocks.append(rest.isEmpty ? 1 : 0)
            append(length, to: &blocks)
            append(~length, to: &blocks)
            blocks.append(block)
        } while !rest.isEmpty
        return blocks
    }

    /// The checksum of RFC 1952 §8.
    static func crc32(_ data: Data) -> UInt32 {
        var crc: UInt32 = 0xFFFF_FFFF
        for byte in data {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
        }
        return ~crc
    }

    private static func append(_ value: some FixedWidthInteger, to data: inout Data) {
        withUnsafeBytes(of: value.littleEndian) { data.append(contentsOf: $0) }
    }
}
