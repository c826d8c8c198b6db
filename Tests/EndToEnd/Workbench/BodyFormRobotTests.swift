import Support
import Testing

/// Tests the forms of a body in the program: tables, wrapped lines, markup, hexadecimal rows and images.
@Suite(.serialized)
struct BodyFormRobotTests {
    private func bench(_ answer: HTTPAnswer, _ size: Bench.Size = .small, seeing text: String) async throws -> Bench {
        let server = try ScriptedServer(answering: answer)
        var bench = try await Bench.open(["api/get.yaml": "name: Get\npath: \(server.url)/\n"], size)
        bench.server = server
        bench.press(.control("r"), .character("3"))
        try await bench.see("200 OK", text)
        // The first rows are displayed before the whole body has arrived.
        try await bench.seeNoMore(" in flight")
        return bench
    }

    @Test(arguments: Bench.sizes) func `an array of objects is a table that is sorted by a column`(size: Bench.Size) async throws {
        let items = (1...400).map { #"{"id":\#($0),"name":"item \#($0 * 7 % 400)"}"# }.joined(separator: ",")
        let bench = try await bench(.json(#"{"items":[\#(items)]}"#), size, seeing: #""id": 1"#)
        bench.press(.character("t"))
        try await bench.see("id", "name", "item 7", " $.items[0].id ", "1/400")
        bench.press(.character("="), .character("="))
        try await bench.see("id ▼", " $.items[399].id ")
        bench.press(.character("l"), .character("="))
        try await bench.see("name ▲", "item 0", " $.items[399].name ")
        bench.press(.escape)
        try await bench.see(#""name": "item 0""#)
        try await bench.seeNoMore("▲")
        try await bench.quit()
    }

    @Test func `an image is drawn in half blocks`() async throws {
        // A PNG of 2 × 2 pixels: red, blue, blue, red.
        let image: [UInt8] = [
            0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 2, 0, 0, 0, 2, 8, 2, 0, 0, 0, 0xFD, 0xD4,
            0x9A, 0x73,
        ]
        let bench = try await bench(
            .ok(bytes: image + Self.imageData, headers: [("Content-Type", "image/png")]), seeing: "PNG · 2 × 2 pixels")
        try await bench.see("▀▀")
        bench.press(.character("w"), .character("w"))
        try await bench.see("89 50 4e 47")
        try await bench.quit()
    }

    /// The chunks IDAT and IEND of the image.
    private static let imageData: [UInt8] = [
        0x00, 0x00, 0x00, 0x11, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9C, 0x63, 0xF8, 0xCF, 0x00, 0x04, 0x20, 0xE2, 0x3F, 0x90, 0x00,
        0x00, 0x1B, 0xF2, 0x03, 0xFD, 0x5C, 0x61, 0x17, 0x8E, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60,
        0x82,
    ]
}
