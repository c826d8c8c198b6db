import BodyViews
import SortieBase
import Support
import Testing

struct ImageHeaderTests {
    private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)

    private static func webp(_ chunk: String, _ rest: [UInt8]) -> [UInt8] {
        Array("RIFF".utf8) + [0, 0, 0, 0] + Array("WEBP".utf8) + Array(chunk.utf8) + [0, 0, 0, 0] + rest
    }

    @Test(arguments: [
        (png + [0, 1, 0, 2, 0, 0, 0, 3], ImageHeader.Format.png, 65538, 3),
        (Array("GIF89a".utf8) + [0x40, 0x01, 0xC8, 0x00], .gif, 320, 200),
        ([0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 9, 9, 0xFF, 0xC4, 0, 2, 0xFF, 0xC2, 0, 17, 8, 0x01, 0x00, 0x02, 0x01], .jpeg, 513, 256),
        (webp("VP8X", [0, 0, 0, 0, 0xFF, 0x01, 0x00, 0x63, 0, 0]), .webp, 512, 100),
        (webp("VP8L", [0x2F, 0x63, 0x40, 0x0C, 0, 0, 0, 0, 0, 0]), .webp, 100, 50),
        (webp("VP8 ", [0, 0, 0, 0x9D, 0x01, 0x2A, 0x40, 0x01, 0xF0, 0x00]), .webp, 320, 240),
    ]) func `the size of an image is read from its header`(bytes: [UInt8], format: ImageHeader.Format, width: Int, height: Int) throws {
        let header = try #require(ImageHeader(BodyBytes(bytes)))
        #expect((header.format, header.width, header.height) == (format, width, height))
        // A part of the header has no size, or the same one.
        for count in 0..<bytes.count {
            let part = ImageHeader(BodyBytes(Array(bytes[..<count])))
            #expect(part == nil || part == header)
        }
    }

    @Test func `an image of 100000 × 100000 pixels is not within the limits`() throws {
        let header = try #require(ImageHeader(BodyBytes(Self.png + [0, 1, 0x86, 0xA0, 0, 1, 0x86, 0xA0])))
        #expect(header.width == 100_000 && !header.isWithinLimits)
        let widest = try #require(ImageHeader(BodyBytes(Self.png + [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF])))
        #expect(!widest.isWithinLimits)
        #expect(try #require(ImageHeader(BodyBytes(Self.png + [0, 0, 0x13, 0x88, 0, 0, 0x13, 0x88]))).isWithinLimits)
        #expect(ImageHeader(BodyBytes(Self.png + [0, 0, 0, 0, 0, 0, 0, 1])) == nil)
    }

    @Test func `an image is displayed as an image or as bytes`() {
        let view = BodyFixtures.view(Self.png + [0, 0, 0, 1, 0, 0, 0, 1], nil)
        #expect(view.mode == .image && view.modes == [.image, .raw, .hex] && view.image == .png)
        #expect(BodyFixtures.view([0x00, 0x01, 0x02], "image/png").modes == [.raw, .hex])
    }
}
