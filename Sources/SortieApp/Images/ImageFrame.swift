/// The output of `sortie decode-image`: a mark, width and height as little-endian 32-bit numbers, and four bytes for each pixel.
enum ImageFrame {
    /// The first bytes.
    static let mark = Array("SORTIEPX".utf8)
    /// The number of bytes before the pixels.
    static let headerSize = 16

    /// The bytes before the pixels.
    static func header(width: Int, height: Int) -> [UInt8] {
        mark + [width, height].flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
    }

    /// The size and the pixels of a complete frame of at most this size; nil for anything else.
    static func pixels(of bytes: [UInt8], atMost limit: (width: Int, height: Int)) -> (width: Int, height: Int, rgba: ArraySlice<UInt8>)? {
        guard bytes.count >= headerSize, bytes.starts(with: mark) else { return nil }
        let sizes = [mark.count, mark.count + 4].map { start in (0..<4).reduce(0) { $0 | Int(bytes[start + $1]) << (8 * $1) } }
        let (width, height) = (sizes[0], sizes[1])
        guard (1...max(1, limit.width)).contains(width), (1...max(1, limit.height)).contains(height) else { return nil }
        guard bytes.count == headerSize + 4 * width * height else { return nil }
        return (width, height, bytes[headerSize...])
    }
}
