/// A PNG image of given pixels, made without a library: its data is stored, not compressed.
enum SmallPNG {
    /// The bytes of an image; `pixels` has red, green, blue and opacity of each pixel.
    static func bytes(width: Int, height: Int, isInterlaced: Bool = false, pixels: (_ column: Int, _ row: Int) -> [UInt8]) -> [UInt8] {
        var rows: [UInt8] = []
        for pass in isInterlaced ? passes : [(0, 0, 1, 1)] {
            for row in stride(from: pass.row, to: height, by: pass.rows) where pass.column < width {
                rows.append(0)
                for column in stride(from: pass.column, to: width, by: pass.columns) { rows += pixels(column, row) }
            }
        }
        return file(width, height, [8, 6, 0, 0, isInterlaced ? 1 : 0], rows)
    }

    /// The bytes of an image with the filtered rows of its pixels; `kind` is the rest of IHDR.
    static func file(_ width: Int, _ height: Int, _ kind: [UInt8], _ rows: [UInt8]) -> [UInt8] {
        var data: [UInt8] = [0x78, 0x01]
        for start in stride(from: 0, to: rows.count, by: 65535) {
            let block = rows[start..<min(rows.count, start + 65535)]
            let length = UInt16(block.count)
            data.append(start + 65535 >= rows.count ? 1 : 0)
            data += little(length) + little(~length) + Array(block)
        }
        data += big(adler(rows))
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", big(UInt32(width)) + big(UInt32(height)) + kind)
            + chunk("IDAT", data) + chunk("IEND", [])
    }

    /// The number of bytes before those of the pixels, of which each has four, and each row one more.
    static let startSize = 48

    /// The passes of an interlaced image (PNG, §8.2).
    static let passes: [(column: Int, row: Int, columns: Int, rows: Int)] = [
        (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2),
    ]

    /// The first bytes of an image that claims a size.
    static func header(width: UInt32, height: UInt32) -> [UInt8] {
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", big(width) + big(height) + [8, 6, 0, 0, 0])
    }

    private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        let content = Array(name.utf8) + data
        return big(UInt32(data.count)) + content + big(checksum(content))
    }

    private static func big(_ value: UInt32) -> [UInt8] { [24, 16, 8, 0].map { (shift: UInt32) in UInt8(truncatingIfNeeded: value >> shift) } }

    private static func little(_ value: UInt16) -> [UInt8] { [UInt8(truncatingIfNeeded: value), UInt8(value >> 8)] }

    /// CRC-32 (PNG, annex D).
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var sum: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? 0xEDB8_8320 ^ (sum >> 1) : sum >> 1 }
        }
        return ~sum
    }

    /// Adler-32 (RFC 1950 §9).
    private static func adler(_ bytes: [UInt8]) -> UInt32 {
        var (one, other): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            one = (one + UInt32(byte)) % 65521
            other = (other + one) % 65521
        }
        return other << 16 | one
    }
}
