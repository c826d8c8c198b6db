package import SortieBase

/// The format and the size of an image, from its first bytes.
package struct ImageHeader: Hashable, Sendable {
    /// The formats that are drawn.
    package enum Format: String, Hashable, Sendable, CaseIterable {
        case png = "PNG"
        case jpeg = "JPEG"
        case gif = "GIF"
        case webp = "WebP"

        /// Whether the part of an image that has arrived can be drawn.
        ///
        /// A progressive JPEG consists of scans, an interlaced GIF or PNG of passes, others of rows. The decoder of WebP refuses an image that is not
        /// whole.
        package var isDrawnInParts: Bool { self != .webp }

        /// The format of an image, from its signature; nil for other bytes.
        package init?(_ bytes: BodyBytes) {
            let start = bytes.prefix(16)
            if start.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
                self = .png
            } else if start.starts(with: [0xFF, 0xD8, 0xFF]) {
                self = .jpeg
            } else if start.starts(with: "GIF87a".utf8) || start.starts(with: "GIF89a".utf8) {
                self = .gif
            } else if start.starts(with: "RIFF".utf8), start.dropFirst(8).starts(with: "WEBP".utf8) {
                self = .webp
            } else {
                return nil
            }
        }
    }

    /// The largest number of pixels of an image that is decoded.
    package static let pixelLimit = 50_000_000
    /// The largest size in bytes of an image that is decoded.
    package static let sizeLimit = 32 << 20

    /// The format.
    package let format: Format
    /// The width in pixels.
    package let width: Int
    /// The height in pixels.
    package let height: Int

    /// Whether the image may be decoded.
    package var isWithinLimits: Bool { width <= Self.pixelLimit && height <= Self.pixelLimit && width * height <= Self.pixelLimit }

    /// Reads the header of an image; nil where it is incomplete or has no size.
    package init?(_ bytes: BodyBytes) {
        guard let format = Format(bytes) else { return nil }
        let size = bytes.withUnsafeBytes { buffer -> (width: Int, height: Int)? in
            switch format {
            case .png: Self.sizeOfPNG(buffer)
            case .jpeg: Self.sizeOfJPEG(buffer)
            case .gif: buffer.count < 10 ? nil : (Self.little(buffer, 6, 2), Self.little(buffer, 8, 2))
            case .webp: Self.sizeOfWebP(buffer)
            }
        }
        guard let size, size.width > 0, size.height > 0 else { return nil }
        self.format = format
        (width, height) = size
    }

    /// The first chunk is IHDR (PNG, §11.2.1).
    private static func sizeOfPNG(_ bytes: UnsafeRawBufferPointer) -> (Int, Int)? {
        guard bytes.count >= 24, bytes[12..<16].elementsEqual("IHDR".utf8) else { return nil }
        return (big(bytes, 16, 4), big(bytes, 20, 4))
    }

    /// The size is in the first frame header, after other segments (ITU T.81 §B.2.2).
    private static func sizeOfJPEG(_ bytes: UnsafeRawBufferPointer) -> (Int, Int)? {
        var offset = 2
        while offset + 9 <= bytes.count, bytes[offset] == 0xFF {
            let marker = bytes[offset + 1]
            if marker == 0xFF || marker == 0x01 || (0xD0...0xD8).contains(marker) {
                offset += marker == 0xFF ? 1 : 2
                continue
            }
            // C4, C8 and CC are no frames.
            if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) { return (big(bytes, offset + 7, 2), big(bytes, offset + 5, 2)) }
            if marker == 0xD9 || marker == 0xDA { return nil }
            offset += 2 + max(2, big(bytes, offset + 2, 2))
        }
        return nil
    }

    /// The first chunk is VP8X, VP8L or VP8 (RFC 9649 §2.5 to §2.7).
    private static func sizeOfWebP(_ bytes: UnsafeRawBufferPointer) -> (Int, Int)? {
        guard bytes.count >= 30 else { return nil }
        switch String(decoding: bytes[12..<16], as: UTF8.self) {
        case "VP8X": return (little(bytes, 24, 3) + 1, little(bytes, 27, 3) + 1)
        case "VP8L":
            let bits = little(bytes, 21, 4)
            return (bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1)
        case "VP8 ": return (little(bytes, 26, 2) & 0x3FFF, little(bytes, 28, 2) & 0x3FFF)
        default: return nil
        }
    }

    private static func big(_ bytes: UnsafeRawBufferPointer, _ offset: Int, _ count: Int) -> Int {
        bytes[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
    }

    private static func little(_ bytes: UnsafeRawBufferPointer, _ offset: Int, _ count: Int) -> Int {
        bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
