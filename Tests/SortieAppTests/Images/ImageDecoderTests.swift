import Foundation
import SortieBase
import SortieWorkbench
import Support
import Testing

@testable import SortieApp

/// Tests decoding of images in another process: the real one, and ones that fail in every way.
@Suite struct ImageDecoderTests {
    /// As the program does: a decoder that ends early breaks the pipe.
    init() { signal(SIGPIPE) { _ in } }

    private static let red: [UInt8] = [255, 0, 0, 255]
    private static let blue: [UInt8] = [0, 0, 255, 255]

    private func decode(_ bytes: [UInt8], width: Int = 100, height: Int = 100) async throws -> PictureOutcome {
        try await ImageDecoder(
            program: BuiltProducts.path(of: "sortie"), patience: .seconds(300), environment: ProcessInfo.processInfo.environment
        ).decode(
            BodyBytes(bytes), width: width, height: height)
    }

    private func picture(_ outcome: PictureOutcome) throws -> Picture {
        guard case .drawn(let picture) = outcome else { throw Failure("\(outcome)") }
        return picture
    }

    private struct Failure: Error {
        var text: String
        init(_ text: String) { self.text = text }
    }

    private func fixture(_ name: String) throws -> [UInt8] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        return Array(try Data(contentsOf: folder.appendingPathComponent("Fixtures/images/\(name)")))
    }

    // MARK: Images

    @Test func `a PNG image is decoded with its transparent pixels`() async throws {
        let bytes = SmallPNG.bytes(width: 2, height: 2) { $0 == $1 ? Self.red : $0 > $1 ? [0, 0, 0, 0] : Self.blue }
        #expect(try await decode(bytes) == .drawn(#require(Picture(width: 2, height: 2, rgba: Self.red + [0, 0, 0, 0] + Self.blue + Self.red))))
    }

    @Test(arguments: ["halves.jpg", "halves.gif", "halves.webp"])
    func `JPEG, GIF and WebP images are decoded`(name: String) async throws {
        let picture = try picture(await decode(fixture(name)))
        let reference = try #require(Picture(width: 2, height: 1, rgba: Self.red + Self.blue))
        #expect((picture.width, picture.height) == (8, 4))
        // The cells at the edges are not touched by the compression between the halves.
        #expect(picture.halves == reference.halves)
    }

    @Test func `S3.19 the first scans of a progressive JPEG are decoded as the whole image`() async throws {
        let bytes = try fixture("progressive.jpg")
        let picture = try picture(await decode(Array(bytes.prefix(bytes.count * 6 / 10)), width: 8, height: 4))
        #expect((picture.width, picture.height) == (8, 4))
        #expect([0, 7].map { picture.colour(column: $0, row: 3) } == [196, 21])
    }

    @Test func `S3.19 the rows of a PNG image that have arrived are decoded, and the rest is transparent`() async throws {
        let bytes = SmallPNG.bytes(width: 4, height: 4) { column, _ in column < 2 ? Self.red : Self.blue }
        let row = Self.red + Self.red + Self.blue + Self.blue
        // Two rows and a part of the third one.
        let part = try await decode(Array(bytes.prefix(SmallPNG.startSize + 2 * 17 + 9)))
        #expect(part == .drawn(try #require(Picture(width: 4, height: 4, rgba: row + row + [UInt8](repeating: 0, count: 32)))))
    }

    @Test(arguments: [(10, 4), (10 + 9, 4), (5, 8), (7, 8)])
    func `S3.19 the passes of an interlaced PNG image that have arrived are decoded as the whole image`(count: Int, redColumns: Int) async throws {
        let bytes = SmallPNG.bytes(width: 8, height: 8, isInterlaced: true) { column, _ in column < 4 ? Self.red : Self.blue }
        let rows = (0..<8).flatMap { _ in (0..<8).flatMap { $0 < redColumns ? Self.red : Self.blue } }
        // A pixel with its filter is the first pass, another one the second.
        let part = try await decode(Array(bytes.prefix(SmallPNG.startSize + count)))
        #expect(part == .drawn(try #require(Picture(width: 8, height: 8, rgba: rows))))
        let whole = (0..<8).flatMap { _ in (0..<8).flatMap { $0 < 4 ? Self.red : Self.blue } }
        #expect(try await decode(bytes) == .drawn(try #require(Picture(width: 8, height: 8, rgba: whole))))
    }

    @Test(arguments: [1, 2, 4, 8, 16], [false, true])
    func `the pixels of an image stay the same in every layout, also where it is interlaced`(depth: Int, isColour: Bool) throws {
        guard !isColour || depth >= 8 else { return }
        // 9 pixels in each direction, so that the last blocks of all passes are cut off.
        let (side, bits) = (9, (isColour ? 3 : 1) * depth)
        func row(_ row: Int, _ columns: [Int]) -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: (columns.count * bits + 7) / 8)
            for (index, column) in columns.enumerated() {
                for bit in 0..<bits where (column * 7 + row * 13 + bit * 5) % 3 == 0 {
                    bytes[(index * bits + bit) / 8] |= 0x80 >> UInt8((index * bits + bit) % 8)
                }
            }
            return [0] + bytes
        }
        let kind: [UInt8] = [UInt8(depth), isColour ? 2 : 0, 0, 0]
        let plain = SmallPNG.file(side, side, kind + [0], (0..<side).flatMap { row($0, Array(0..<side)) })
        #expect(plain.withUnsafeBytes { PartialPNG($0)?.completed } == plain)
        let passes = SmallPNG.passes.flatMap { pass in
            stride(from: pass.row, to: side, by: pass.rows).flatMap { row($0, Array(stride(from: pass.column, to: side, by: pass.columns))) }
        }
        #expect(SmallPNG.file(side, side, kind + [1], passes).withUnsafeBytes { PartialPNG($0)?.completed } == plain)
    }

    @Test(arguments: [(40, 20, 10, 10, 10, 5), (20, 40, 10, 10, 5, 10), (3, 2, 10, 10, 3, 2), (200, 1, 10, 10, 10, 1)])
    func `an image is scaled with its aspect ratio, and not enlarged`(
        width: Int, height: Int, most: Int, highest: Int, expectedWidth: Int, expectedHeight: Int
    ) async throws {
        let bytes = SmallPNG.bytes(width: width, height: height) { _, _ in Self.blue }
        let picture = try picture(await decode(bytes, width: most, height: highest))
        #expect((picture.width, picture.height) == (expectedWidth, expectedHeight))
        #expect(picture.halves == [21, 21])
    }

    @Test func `damaged images are sentences`() async throws {
        let bytes = SmallPNG.bytes(width: 50, height: 50) { _, _ in Self.red }
        #expect(try await decode(Array(bytes.prefix(SmallPNG.startSize + 100))) == .failed("The image is damaged."))
        #expect(try await decode(Array(bytes.prefix(12))) == .failed("The header of the image is damaged."))
        #expect(try await decode([1, 2, 3]) == .failed("The header of the image is damaged."))
        #expect(try await decode([]) == .failed("The header of the image is damaged."))
    }

    @Test func `an image that claims 100000 × 100000 pixels is not decoded`() async throws {
        let bytes = SmallPNG.header(width: 100_000, height: 100_000)
        #expect(try await decode(bytes) == .failed("The image has too many pixels: 100000 × 100000."))
    }

    @Test func `an image within the limits without data ends with a sentence`() async throws {
        guard case .failed = try await decode(SmallPNG.header(width: 7000, height: 7000)) else {
            Issue.record("decoded")
            return
        }
    }

    // MARK: Processes that fail

    /// A decoder that is a shell script.
    private func decoder(_ script: String, in folder: TemporaryFolder, patience: Duration = .seconds(300)) throws -> ImageDecoder {
        let path = try folder.write("decoder", "#!/bin/sh\n" + script + "\n")
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
        return ImageDecoder(program: path, patience: patience, environment: ProcessInfo.processInfo.environment)
    }

    @Test(arguments: [
        ("kill -9 $$", "ended unexpectedly"),
        ("cat >/dev/null; echo nonsense", "printed something else"),
        ("cat >/dev/null; printf 'SORTIEPX\\377\\377\\377\\377\\377\\377\\377\\377'", "printed something else"),
        ("cat >/dev/null; printf 'SORTIEPX\\002\\000\\000\\000\\002\\000\\000\\000abc'", "printed something else"),
        ("cat >/dev/null; head -c 100000 /dev/zero", "printed too much"),
        ("cat >/dev/null; echo 'Images need the library libgd: install the package libgd3.' >&2; exit 3", "install the package libgd3"),
        ("cat >/dev/null; exit 1", "ended unexpectedly"),
        ("cat >/dev/null", "printed something else"),
    ]) func `a decoder that fails or lies gives a sentence`(script: String, expected: String) async throws {
        let folder = try TemporaryFolder()
        let outcome = try await decoder(script, in: folder).decode(BodyBytes([1, 2, 3]), width: 10, height: 10)
        guard case .failed(let sentence) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(sentence.contains(expected))
    }

    @Test func `a decoder that reads nothing of a large image and ends gives a sentence`() async throws {
        let folder = try TemporaryFolder()
        let outcome = try await decoder("exit 0", in: folder).decode(BodyBytes([UInt8](repeating: 1, count: 1 << 20)), width: 10, height: 10)
        guard case .failed = outcome else {
            Issue.record("\(outcome)")
            return
        }
    }

    @Test func `a decoder that hangs is killed`() async throws {
        try await growing(from: .seconds(2)) { limit -> Void? in
            let folder = try TemporaryFolder()
            let hanging = try decoder("echo $$ > \(folder.path("pid")); exec sleep 1000", in: folder, patience: limit)
            let outcome = await hanging.decode(BodyBytes([1]), width: 10, height: 10)
            guard case .failed(let sentence) = outcome else {
                Issue.record("\(outcome)")
                return ()
            }
            // Another test that starts a process at this moment has the script open for writing (ETXTBSY).
            if sentence.contains("could not be run") { return nil }
            #expect(sentence.contains("was not decoded in"))
            // The script must have begun within the limit.
            guard let bytes = try? folder.read("pid"),
                let pid = Int32(String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))
            else { return nil }
            #expect(kill(pid, 0) != 0)
            return ()
        }
    }

    @Test func `a decoder that cannot be started gives a sentence`() async {
        let outcome = await ImageDecoder(program: "/nonexistent/sortie").decode(BodyBytes([1]), width: 10, height: 10)
        #expect(outcome == .failed("The process that decodes images could not be run."))
    }

    @Test func `the decoder has no variables that may be secrets`() async {
        // In a separate process, because other tests read the environment at the same time.
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            setenv("SORTIE_TEST_SECRET", "visible", 1)
            let outcome = try await ImageDecoderTests().decoder("cat >/dev/null; env >&2; echo \"[$SORTIE_TEST_SECRET]\" >&2; exit 1", in: folder)
                .decode(BodyBytes([1]), width: 10, height: 10)
            #expect(outcome == .failed("[]"))
        }
    }
}

extension Picture {
    /// The colours of the first and of the last cell of the first row.
    fileprivate var halves: [UInt8?] { [0, width - 1].map { colour(column: $0, row: 0) } }
}
