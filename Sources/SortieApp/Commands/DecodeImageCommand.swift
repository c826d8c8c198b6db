internal import ArgumentParser
internal import BodyViews
internal import CImages
internal import Glibc
internal import SortieBase

/// `sortie decode-image`: decodes an image from stdin and writes its scaled pixels to stdout, see ``ImageFrame``.
///
/// The workbench runs it, so that a defect of a decoder cannot reach its memory. The process limits itself before it reads the image.
struct DecodeImageCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "decode-image", abstract: "Decode an image for the workbench.", shouldDisplay: false)

    @Option(help: "The largest width in pixels.")
    var width: Int
    @Option(help: "The largest height in pixels.")
    var height: Int

    /// The largest address space in bytes.
    private static let memory = 512 << 20
    /// The longest processor time in seconds.
    private static let time: UInt32 = 5
    /// The longest side of the result in pixels.
    private static let longestSide = 4096

    func run(in program: ProgramContext) throws {
        // The limits apply to the whole process.
        guard program.ownsProcess else { throw failure("Images are decoded in a separate process.", in: program) }
        guard (1...Self.longestSide).contains(width), (1...Self.longestSide).contains(height) else {
            throw ValidationError("--width and --height are from 1 to \(Self.longestSide)")
        }
        // Files are forbidden only after the library was loaded.
        let problem = cimages_load().map { String(cString: $0) }
        guard cimages_limit(Self.memory, Self.time), cimages_isolate() else {
            throw failure("The process for images cannot be limited.", in: program)
        }
        guard problem == nil else { throw failure("Images need the library libgd: install the package libgd3.", in: program) }
        let bytes = try readImage(in: program)
        guard let header = ImageHeader(bytes) else { throw failure("The header of the image is damaged.", in: program) }
        guard header.isWithinLimits else { throw failure("The image has too many pixels: \(header.width) × \(header.height).", in: program) }
        try write(bytes, header, in: program)
    }

    private func write(_ bytes: BodyBytes, _ header: ImageHeader, in program: ProgramContext) throws {
        let format = Int32(ImageHeader.Format.allCases.firstIndex(of: header.format) ?? 0)
        func decoded(_ buffer: UnsafeRawBufferPointer) -> UnsafeMutableRawPointer? {
            buffer.baseAddress.flatMap { cimages_decode(format, $0, Int32(buffer.count)) }
        }
        var found = bytes.withUnsafeBytes(decoded)
        // libgd draws the part of a JPEG or GIF image, and refuses that of a PNG image.
        if found == nil, header.format == .png { found = bytes.withUnsafeBytes { PartialPNG($0)?.completed }?.withUnsafeBytes(decoded) }
        guard let image = found else { throw failure("The image is damaged.", in: program) }
        defer { cimages_free(image) }
        var (imageWidth, imageHeight): (Int32, Int32) = (0, 0)
        cimages_size(image, &imageWidth, &imageHeight)
        let size = Self.size(of: (Int(imageWidth), Int(imageHeight)), within: (width, height))
        var pixels = [UInt8](repeating: 0, count: 4 * size.width * size.height)
        guard cimages_scale(image, Int32(size.width), Int32(size.height), &pixels) else {
            throw failure("The image needs too much memory.", in: program)
        }
        (ImageFrame.header(width: size.width, height: size.height) + pixels).withUnsafeBytes { program.output.write($0) }
    }

    /// The size of an image in a frame with its aspect ratio; small images are not enlarged.
    static func size(of image: (width: Int, height: Int), within frame: (width: Int, height: Int)) -> (width: Int, height: Int) {
        let image = (width: max(1, image.width), height: max(1, image.height))
        let scale = min(1, Double(frame.width) / Double(image.width), Double(frame.height) / Double(image.height))
        func side(_ length: Int, _ limit: Int) -> Int { min(limit, max(1, Int((Double(length) * scale).rounded()))) }
        return (side(image.width, frame.width), side(image.height, frame.height))
    }

    private func readImage(in program: ProgramContext) throws -> BodyBytes {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = read(program.input.descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure("The image cannot be read.", in: program) }
            guard count > 0 else { return BodyBytes(bytes) }
            bytes += buffer.prefix(count)
            guard bytes.count <= ImageHeader.sizeLimit else { throw failure("The image is too large.", in: program) }
        }
    }

    private func failure(_ sentence: String, in program: ProgramContext) -> ExitCode {
        program.errors.line(sentence)
        return ExitCode(CommandFailure.Kind.file.exitCode)
    }
}
