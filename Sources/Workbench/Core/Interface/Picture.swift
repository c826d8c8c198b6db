internal import SortieTerminal

/// An image as cells can show it: pixels in the palette of 256 colours, two of them in each cell.
package struct Picture: Hashable, Sendable {
    /// The width in pixels.
    package let width: Int
    /// The height in pixels.
    package let height: Int
    /// The colours row by row; nil where the image is transparent.
    private let pixels: [UInt8?]

    /// Creates a picture from four bytes for each pixel: red, green, blue, and the opacity; nil for a wrong number of bytes.
    package init?(width: Int, height: Int, rgba bytes: some Collection<UInt8>) {
        let bytes = Array(bytes)
        guard width > 0, height > 0, bytes.count == 4 * width * height else { return nil }
        self.width = width
        self.height = height
        pixels = stride(from: 0, to: bytes.count, by: 4).map { (index: Int) -> UInt8? in
            bytes[index + 3] < 128 ? nil : CellColours.nearest(red: bytes[index], green: bytes[index + 1], blue: bytes[index + 2])
        }
    }

    /// The colours of a cell: of its upper and its lower half.
    func cell(column: Int, row: Int) -> (upper: UInt8?, lower: UInt8?) {
        (colour(column: column, row: 2 * row), colour(column: column, row: 2 * row + 1))
    }

    /// The colour of a pixel; nil where the image is transparent, and outside of it.
    package func colour(column: Int, row: Int) -> UInt8? { column < width && row < height ? pixels[row * width + column] : nil }
}

/// The result of decoding an image.
package enum PictureOutcome: Hashable, Sendable {
    /// The image was decoded.
    case drawn(Picture)
    /// The image was not decoded. The text is the reason as a sentence.
    case failed(String)
}
