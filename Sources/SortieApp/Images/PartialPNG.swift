internal import SortieHTTP
internal import SortieNetworking

/// A PNG image of which only a part has arrived, completed so that a decoder that refuses incomplete images draws the part.
///
/// The rows that have not arrived are black, or transparent where the image has opacity. An interlaced image (Adam7) is completed as a whole: each
/// pixel of the passes that have arrived fills the block up to its neighbours in its pass.
struct PartialPNG {
    /// The largest number of bytes of the pixels; an image above it is only decoded when it is whole.
    static let limit = 64 << 20

    /// The complete image, without interlacing.
    private(set) var completed: [UInt8]

    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// Completes an image; nil for a damaged or large one, and where no row has arrived.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard let chunks = Chunks(bytes), let layout = PixelLayout(header: chunks.header), layout.count <= Self.limit else { return nil }
        let passes = chunks.header[12] == 0 ? nil : PixelLayout.passes
        let size = passes?.reduce(0) { $0 + layout.count(of: $1) } ?? layout.count
        let data = ZlibPrefix.decoded(chunks.data, upTo: size)
        guard let rows = passes.map({ layout.spread(data, $0) }) ?? layout.rows(data) else { return nil }
        var header = chunks.header
        header[12] = 0
        completed = Self.signature + Self.chunk("IHDR", header)
        for (name, content) in chunks.tables { completed += Self.chunk(name, content) }
        completed += Self.chunk("IDAT", Self.stored(rows)) + Self.chunk("IEND", [])
    }

    /// The chunks of the part (PNG, §5).
    private struct Chunks {
        var header: [UInt8] = []
        /// The palette and its transparency.
        var tables: [(name: String, content: [UInt8])] = []
        /// The compressed pixels that have arrived.
        var data: [UInt8] = []

        init?(_ bytes: UnsafeRawBufferPointer) {
            guard bytes.count > 8, bytes.prefix(8).elementsEqual(PartialPNG.signature) else { return nil }
            var offset = 8
            while offset + 8 <= bytes.count {
                let count = (0..<4).reduce(0) { $0 << 8 | Int(bytes[offset + $1]) }
                let name = String(decoding: bytes[offset + 4..<offset + 8], as: UTF8.self)
                let (start, end) = (offset + 8, min(bytes.count, offset + 8 + count))
                let isWhole = offset + 12 + count <= bytes.count
                switch name {
                case "IDAT": data += bytes[start..<end]
                case "IHDR" where isWhole && count == 13: header = Array(bytes[start..<end])
                case "PLTE" where isWhole, "tRNS" where isWhole: tables.append((name, Array(bytes[start..<end])))
                default: break
                }
                offset += 12 + count
            }
            if header.isEmpty || data.isEmpty { return nil }
        }
    }

    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let named = Array(name.utf8) + content
        return big(UInt32(content.count)) + named + big(Checksum.crc32(named))
    }

    /// A zlib stream with uncompressed blocks (RFC 1950, RFC 1951 §3.2.4).
    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        stream.reserveCapacity(bytes.count + bytes.count / 65_535 * 5 + 16)
        for start in stride(from: 0, to: bytes.count, by: 65_535) {
            let end = min(bytes.count, start + 65_535)
            let count = UInt16(end - start)
            stream += [end == bytes.count ? 1 : 0, UInt8(truncatingIfNeeded: count), UInt8(count >> 8)]
            stream += [UInt8(truncatingIfNeeded: ~count), UInt8(~count >> 8)]
            stream += bytes[start..<end]
        }
        return stream + big(adler32(bytes))
    }

    private static func adler32(_ bytes: [UInt8]) -> UInt32 {
        var (low, high): (UInt32, UInt32) = (1, 0)
        bytes.withUnsafeBufferPointer { bytes in
            // 5,552 bytes is the most for which the sums fit into 32 bits.
            for start in stride(from: 0, to: bytes.count, by: 5552) {
                for index in start..<min(bytes.count, start + 5552) {
                    low += UInt32(bytes[index])
                    high += low
                }
                (low, high) = (low % 65_521, high % 65_521)
            }
        }
        return high << 16 | low
    }

    private static func big(_ value: UInt32) -> [UInt8] { [24, 16, 8, 0].map { (shift: UInt32) in UInt8(truncatingIfNeeded: value >> shift) } }
}

/// How the pixels of a PNG image are stored (PNG, §7).
private struct PixelLayout {
    /// The pixels of one pass of an interlaced image: the first one, the distance to the next one, and the block that each fills (PNG, §8.2).
    struct Pass {
        let column, row, columns, rows, width, height: Int
    }

    static let passes = [
        Pass(column: 0, row: 0, columns: 8, rows: 8, width: 8, height: 8), Pass(column: 4, row: 0, columns: 8, rows: 8, width: 4, height: 8),
        Pass(column: 0, row: 4, columns: 4, rows: 8, width: 4, height: 4), Pass(column: 2, row: 0, columns: 4, rows: 4, width: 2, height: 4),
        Pass(column: 0, row: 2, columns: 2, rows: 4, width: 2, height: 2), Pass(column: 1, row: 0, columns: 2, rows: 2, width: 1, height: 2),
        Pass(column: 0, row: 1, columns: 1, rows: 2, width: 1, height: 1),
    ]

    let width: Int
    let height: Int
    /// The number of bits of a pixel.
    private let bits: Int

    /// Reads the content of IHDR; nil for values that the standard does not have.
    init?(header: [UInt8]) {
        let (depth, kind) = (Int(header[8]), header[9])
        let channels = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][kind]
        guard let channels, [1, 2, 4, 8, 16].contains(depth), channels == 1 || depth >= 8, header[10] == 0, header[11] == 0, header[12] < 2 else {
            return nil
        }
        (width, height) = (header[0..<4].reduce(0) { $0 << 8 | Int($1) }, header[4..<8].reduce(0) { $0 << 8 | Int($1) })
        guard (1...Int(Int32.max)).contains(width), (1...Int(Int32.max)).contains(height) else { return nil }
        bits = channels * depth
    }

    /// The number of bytes of a row of pixels, with that of its filter.
    private func rowSize(_ width: Int) -> Int { 1 + (width * bits + 7) / 8 }

    /// The number of bytes of the image without interlacing.
    var count: Int { height.multipliedReportingOverflow(by: rowSize(width)).overflow ? .max : height * rowSize(width) }

    private func size(of pass: Pass) -> (width: Int, height: Int) {
        ((width - pass.column + pass.columns - 1) / pass.columns, (height - pass.row + pass.rows - 1) / pass.rows)
    }

    /// The number of bytes of a pass.
    func count(of pass: Pass) -> Int {
        let size = size(of: pass)
        return size.width > 0 ? max(0, size.height) * rowSize(size.width) : 0
    }

    /// The rows that have arrived, followed by empty ones; nil where none has.
    func rows(_ data: [UInt8]) -> [UInt8]? {
        let whole = data.count / rowSize(width) * rowSize(width)
        guard whole > 0 else { return nil }
        return data[..<whole] + [UInt8](repeating: 0, count: count - whole)
    }

    /// The pixels of passes as rows without a filter; nil where no row has arrived.
    func spread(_ data: [UInt8], _ passes: [Pass]) -> [UInt8]? {
        var image = [UInt8](repeating: 0, count: count)
        var offset = 0
        for pass in passes {
            let size = size(of: pass)
            guard size.width > 0, size.height > 0 else { continue }
            let length = rowSize(size.width)
            var above = [UInt8](repeating: 0, count: length - 1)
            for row in 0..<size.height {
                guard offset + length <= data.count, let pixels = unfiltered(data[offset..<offset + length], below: above) else {
                    return offset == 0 ? nil : image
                }
                offset += length
                above = pixels
                for column in 0..<size.width { fill(&image, with: pixels, pixel: column, row: row, of: pass) }
            }
        }
        return image
    }

    /// The bytes of a row without its filter (PNG, §9.2); nil for an unknown filter.
    private func unfiltered(_ row: ArraySlice<UInt8>, below above: [UInt8]) -> [UInt8]? {
        var bytes = Array(row.dropFirst())
        let step = max(1, bits / 8)
        let filter = row[row.startIndex]
        guard filter <= 4 else { return nil }
        if filter == 0 { return bytes }
        for index in bytes.indices {
            let left = index >= step ? bytes[index - step] : 0
            let corner = index >= step ? above[index - step] : 0
            switch filter {
            case 1: bytes[index] &+= left
            case 2: bytes[index] &+= above[index]
            case 3: bytes[index] &+= UInt8((Int(left) + Int(above[index])) / 2)
            default: bytes[index] &+= Self.paeth(Int(left), Int(above[index]), Int(corner))
            }
        }
        return bytes
    }

    private static func paeth(_ left: Int, _ above: Int, _ corner: Int) -> UInt8 {
        let estimate = left + above - corner
        let (toLeft, toAbove, toCorner) = (abs(estimate - left), abs(estimate - above), abs(estimate - corner))
        return UInt8(toLeft <= toAbove && toLeft <= toCorner ? left : toAbove <= toCorner ? above : corner)
    }

    /// Fills the block of a pixel.
    private func fill(_ image: inout [UInt8], with pixels: [UInt8], pixel: Int, row: Int, of pass: Pass) {
        let (left, top) = (pass.column + pixel * pass.columns, pass.row + row * pass.rows)
        let length = rowSize(width)
        for y in top..<min(height, top + pass.height) {
            for x in left..<min(width, left + pass.width) {
                if bits >= 8 {
                    let (source, target) = (pixel * bits / 8, y * length + 1 + x * bits / 8)
                    for byte in 0..<bits / 8 { image[target + byte] = pixels[source + byte] }
                } else {
                    let mask = UInt8(1 << bits - 1)
                    let (source, target) = (pixel * bits, x * bits)
                    let value = pixels[source / 8] >> UInt8(8 - bits - source % 8) & mask
                    let shift = UInt8(8 - bits - target % 8)
                    let index = y * length + 1 + target / 8
                    image[index] = image[index] & ~(mask << shift) | value << shift
                }
            }
        }
    }
}
