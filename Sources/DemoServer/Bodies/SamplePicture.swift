import Foundation

/// A PNG image of a sun over the sea, computed without a library; its data is stored, not compressed.
enum SamplePicture {
    private static let (width, height) = (120, 80)

    static var png: Data {
        var rows = Data()
        for row in 0..<height {
            rows.append(0)
            for column in 0..<width { rows.append(contentsOf: colour(column, row)) }
        }
        let data = Data([0x78, 0x01]) + Gzip.blocks(rows) + big(adler32(rows))
        return Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
            + chunk("IHDR", big(UInt32(width)) + big(UInt32(height)) + Data([8, 2, 0, 0, 0])) + chunk("IDAT", data) + chunk("IEND", Data())
    }

    /// Red, green and blue of a pixel.
    private static func colour(_ column: Int, _ row: Int) -> [UInt8] {
        let (x, y) = (column - 78, row - 34)
        if row < 50, x * x + y * y < 20 * 20 { return [255, UInt8(190 + row), 60] }
        guard row >= 50 else { return [UInt8(40 + 4 * row), UInt8(90 + 2 * row), UInt8(200 - row)] }
        let isGlitter = abs(x) < row - 44 && (column + row * 3) % 5 < 2
        return isGlitter ? [240, 200, 90] : [10, UInt8(130 - row), UInt8(190 - row)]
    }

    /// A chunk with its checksum (PNG, §5.3).
    private static func chunk(_ name: String, _ content: Data) -> Data {
        let named = Data(name.utf8) + content
        return big(UInt32(content.count)) + named + big(Gzip.crc32(named))
    }

    private static func big(_ value: UInt32) -> Data { withUnsafeBytes(of: value.bigEndian) { Data($0) } }

    /// The checksum of RFC 1950 §9.
    private static func adler32(_ data: Data) -> UInt32 {
        var (one, other): (UInt32, UInt32) = (1, 0)
        for byte in data {
            one = (one + UInt32(byte)) % 65521
            other = (other + one) % 65521
        }
        return other << 16 | one
    }
}
