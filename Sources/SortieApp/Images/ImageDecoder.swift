internal import Foundation
internal import SortieBase
internal import SortieWorkbench
internal import Subprocess
internal import SystemPackage

/// Decodes images in another process of this program, `sortie decode-image`, which has no access to the memory of this one.
///
/// The process gets the bytes on its standard input. What it prints is validated; it is killed when it takes too long.
struct ImageDecoder: Sendable {
    /// The program to run, and its first argument.
    var program = ProgramFile.own
    /// The longest time to wait for it.
    var patience = Duration.seconds(15)
    /// The environment of this program.
    var environment: [String: String] = [:]

    /// The number of bytes of an error message that are read.
    private static let messageLimit = 4096

    /// Decodes an image and scales it to at most this number of pixels.
    func decode(_ bytes: BodyBytes, width: Int, height: Int) async -> PictureOutcome {
        // Cancelling the task of the process kills it.
        await withDeadline(patience) { await run(bytes, width: width, height: height) } ?? .failed("The image was not decoded in \(patience).")
    }

    private func run(_ bytes: BodyBytes, width: Int, height: Int) async -> PictureOutcome {
        do {
            // The variables may have secrets, which a decoder does not need.
            let variables = ["LD_LIBRARY_PATH", "LANG"].compactMap { name in
                environment[name].map { (Environment.Key(stringLiteral: name), $0) }
            }
            let result = try await Subprocess.run(
                .path(FilePath(program)), arguments: ["decode-image", "--width", "\(width)", "--height", "\(height)"],
                environment: .custom(Dictionary(variables) { $1 }), input: .inputWriter,
                output: .bytes(limit: ImageFrame.headerSize + 4 * width * height), error: .string(limit: Self.messageLimit)
            ) { execution in
                await StandardInput.write(bytes.bytes(in: 0..<bytes.count), to: execution.standardInputWriter)
            }
            guard result.terminationStatus.isSuccess else { return .failed(Self.sentence(result.standardError, result.terminationStatus)) }
            guard let frame = ImageFrame.pixels(of: result.standardOutput, atMost: (width, height)),
                let picture = Picture(width: frame.width, height: frame.height, rgba: frame.rgba)
            else { return .failed("The process that decodes images printed something else.") }
            return .drawn(picture)
        } catch let error as SubprocessError where error.code == .outputLimitExceeded {
            return .failed("The process that decodes images printed too much.")
        } catch {
            return .failed("The process that decodes images could not be run.")
        }
    }

    /// Why the process failed: the sentence that it printed, or how it ended.
    private static func sentence(_ message: String, _ status: TerminationStatus) -> String {
        let line = message.split(whereSeparator: \.isNewline).last.map(String.init) ?? ""
        if case .exited = status, !line.isEmpty { return String(line.prefix(200)) }
        return "The process that decodes images ended unexpectedly; the image may be damaged or need too much memory."
    }
}

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
