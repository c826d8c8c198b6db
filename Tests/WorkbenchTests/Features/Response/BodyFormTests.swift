import BodyViews
import SortieBase
import SortieHTTP
import SortieTerminal
import Testing

@testable import SortieWorkbench

/// Tests line wrapping, hexadecimal rows, going to an offset, markup and images in the Body tab.
@Suite struct BodyFormTests {
    private func answered(_ body: [UInt8], _ type: String, size: Size = Size(width: 80, height: 24)) -> AppState {
        var state = AppState.sample(size: size)
        state.open("shop/orders/list")
        let id = state.sendOpen()
        var exchange = Exchange.sample("", contentType: type)
        exchange.response?.body = BodyBytes(body)
        _ = state.update(.call(id, .finished(exchange)))
        state.focus(.response)
        _ = state.update(.input(.resumed))
        return state
    }

    private func answered(_ body: String, _ type: String = "text/plain", size: Size = Size(width: 80, height: 24)) -> AppState {
        answered(Array(body.utf8), type, size: size)
    }

    // MARK: Wrapping

    @Test func `W wraps long lines and cuts them again`() {
        var state = answered(String(repeating: "§", count: 200) + "\nsecond")
        #expect(state.screen.count { $0 == "§" } < 100)
        state.press("W")
        #expect(state.screen.count { $0 == "§" } == 200 && state.screen.contains("second") && state.screen.contains("raw, wrapped"))
        state.press("W")
        #expect(state.screen.count { $0 == "§" } < 100)
    }

    @Test func `the cursor moves by the lines of the screen, and back`() {
        var state = answered((0..<40).map { "line \($0) " + String(repeating: "abcdefghij", count: 12) }.joined(separator: "\n"))
        state.press("W")
        var places: [[Int]] = []
        for _ in 0..<60 {
            places.append([state.responseState.row, state.responseState.piece])
            state.press("j")
        }
        #expect(Set(places).count == 60 && state.responseState.row > 5 && state.responseState.top > 0)
        for place in places.reversed() {
            state.press("k")
            #expect([state.responseState.row, state.responseState.piece] == place)
        }
        #expect(state.responseState.top == 0 && state.responseState.topPiece == 0)
        state.press("G")
        #expect(state.responseState.row == 39 && state.screen.contains("line 39"))
        state.press("g")
        #expect(state.screen.contains("line 0"))
    }

    @Test func `a line of a megabyte is wrapped in windows`() {
        var state = answered(String(repeating: "0123456789", count: 100_000))
        state.press("W", "PgDn", "PgDn")
        #expect(state.screen.contains("raw, wrapped") && state.responseState.row < 3)
        for _ in 0..<200 { state.press("j") }
        #expect(state.screen.contains("0123456789"))
    }

    @Test func `wide characters are not split, and a narrow pane still shows them`() {
        var state = answered(String(repeating: "世界", count: 60), size: Size(width: 40, height: 12))
        state.press("W")
        let shown = state.screen.filter { $0 == "世" || $0 == "界" }.count
        #expect(shown > 20)
    }

    @Test func `a search shows its match in a wrapped line`() {
        var state = answered(String(repeating: "x", count: 3000) + "needle" + String(repeating: "y", count: 3000))
        state.press("W", "/")
        var effects = state.type("needle")
        while !effects.isEmpty {
            guard let (id, job) = effects.removeFirst().started(SearchJob.self) else { continue }
            effects += state.search(id, job)
        }
        #expect(state.responseState.piece > 10 && state.responseState.left == 0)
        let canvas = state.draw()
        let marked = canvas.bounds.rows.flatMap { row in canvas.bounds.columns.map { Point(column: $0, row: row) } }
        #expect(marked.count { canvas.style(at: $0)?.role == .currentMatch } == 6)
    }

    @Test func `bytes are not wrapped`() {
        var state = answered([0, 1, 2], "application/octet-stream")
        state.press("W")
        #expect(state.toast?.text.hasPrefix("Only text is wrapped") == true && !state.responseState.wraps)
    }

    // MARK: Hexadecimal rows

    @Test func `hexadecimal rows have 16, 8 or 4 bytes, and the cursor stays on its byte`() {
        var state = answered([UInt8](repeating: 0x01, count: 400), "application/octet-stream", size: Size(width: 200, height: 50))
        #expect(state.screen.contains("00000010  01 01 01 01 01 01 01 01  01"))
        for _ in 0..<4 { state.press("j") }
        _ = state.update(.input(.resize(Size(width: 80, height: 24))))
        #expect(state.screen.contains("00000008  01 01 01 01 01 01 01 01  ........") && state.responseState.row == 8)
        _ = state.update(.input(.resize(Size(width: 200, height: 50))))
        #expect(state.responseState.row == 4)
    }

    @Test(arguments: [("300", 300), ("0x12C", 300), ("0", 0), (" 0x0f ", 15)])
    func `the cursor goes to an offset`(text: String, offset: Int) {
        var state = answered([UInt8](repeating: 0x01, count: 400), "application/octet-stream")
        state.press("@")
        state.type(text)
        state.press("Enter")
        #expect(state.popup == nil && state.responseState.row == offset / (state.openBody?.hexWidth ?? 1))
    }

    @Test(arguments: ["", "400", "-1", "+5", "12z", "0x", "99999999999999999999"])
    func `an offset outside of the body is refused with the range`(text: String) {
        var state = answered([UInt8](repeating: 0x01, count: 400), "application/octet-stream")
        state.press("@")
        state.type(text)
        state.press("Enter")
        #expect(state.screen.contains("0x18f") && state.popup != nil)
    }

    // MARK: Markup

    @Test func `XML is laid out, w shows it raw, and an error names its place`() {
        var state = answered("<a><b>text</b><c/></a>", "application/xml", size: Size(width: 120, height: 40))
        #expect(state.screen.contains("  <b>text</b>") && state.screen.contains(" pretty · "))
        state.press("w")
        #expect(state.screen.contains("<a><b>text</b><c/></a>"))
        let broken = answered("<a><b>text</a>", "application/xml", size: Size(width: 120, height: 40))
        #expect(broken.screen.contains("not well-formed XML: </a> ends no element here"))
        #expect(broken.screen.contains("  <b>"))
        state.press("f")
        #expect(state.toast?.text.hasPrefix("Only JSON can be filtered") == true)
    }

    // MARK: Images

    private static func png(width: UInt8, height: UInt8) -> [UInt8] {
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8) + [0, 0, 0, width, 0, 0, 0, height, 8, 6, 0, 0, 0]
    }

    /// The job that decodes the image, of the effects of a new size.
    private func decoding(_ state: inout AppState, _ size: Size) -> (JobID, width: Int, height: Int)? {
        state.update(.input(.resize(size))).started(DecodeImageJob.self).first.map { ($0.id, $0.job.width, $0.job.height) }
    }

    @Test func `an image is decoded for the size of the pane and drawn in half blocks`() throws {
        var state = answered(Self.png(width: 2, height: 3), "image/png")
        #expect(state.screen.contains("PNG · 2 × 3 pixels · 29 B") && state.screen.contains("The image is being decoded."))
        let (id, width, height) = try #require(decoding(&state, Size(width: 120, height: 40)))
        #expect(width > 20 && height > 4 && height % 2 == 0)
        let red: [UInt8] = [255, 0, 0, 255]
        let picture = try #require(Picture(width: 2, height: 3, rgba: red + [0, 0, 0, 0] + red + [0, 0, 255, 255] + [0, 0, 0, 0] + red))
        #expect(state.end(DecodeImageJob.self, id, .drawn(picture)).isEmpty)
        let canvas = state.draw()
        let lines = canvas.text.split(separator: "\n", omittingEmptySubsequences: false)
        let row = try #require(lines.firstIndex { $0.contains("▀▄") })
        #expect(lines[row + 1].contains("▀"))
        let column = CellWidth.width(of: try #require(lines[row].firstRange(of: "▀").map { lines[row][..<$0.lowerBound] }))
        #expect(canvas.style(at: Point(column: column, row: row))?.colours == CellColours(foreground: 196, background: 196))
        #expect(canvas.style(at: Point(column: column + 1, row: row))?.colours == CellColours(foreground: 21, background: nil))
        // The same size needs no other picture, hexadecimal rows need none.
        state.press("w")
        #expect(state.press("w").isEmpty && state.screen.contains("89 50 4e 47"))
        #expect(decoding(&state, Size(width: 100, height: 30)) == nil)
    }

    private static func gif(_ count: Int) -> BodyBytes { BodyBytes(Array("GIF89a".utf8) + [4, 0, 4, 0] + [UInt8](repeating: 0, count: count)) }

    private func decoding(_ effects: [Effect]) -> JobID? {
        effects.started(DecodeImageJob.self).first?.id
    }

    @Test func `S3.19 the part of an image that has arrived is drawn, and again when it has grown`() throws {
        var state = AppState.sample(size: Size(width: 120, height: 40))
        state.open("shop/orders/list")
        let call = state.sendOpen()
        let headers = Headers([HeaderField("Content-Type", "image/gif")])
        _ = state.update(.call(call, .responded(Response(status: 200, reason: "OK", headers: headers))))
        state.focus(.response)
        let first = try #require(decoding(state.update(.call(call, .grew(Self.gif(100))))))
        // One part at a time is decoded.
        #expect(decoding(state.update(.call(call, .grew(Self.gif(200))))) == nil)
        let picture = try #require(Picture(width: 1, height: 2, rgba: [255, 0, 0, 255, 255, 0, 0, 255]))
        let second = try #require(decoding(state.end(DecodeImageJob.self, first, .drawn(picture))))
        #expect(state.screen.contains("▀"), "\(state.screen)")
        // A part that cannot be drawn leaves the picture, and only a quarter more is worth another one.
        #expect(decoding(state.end(DecodeImageJob.self, second, .failed("The image is damaged."))) == nil)
        #expect(decoding(state.update(.call(call, .grew(Self.gif(210))))) == nil)
        #expect(state.screen.contains("▀") && !state.screen.contains("damaged"))
        var exchange = Exchange.sample("", contentType: "image/gif")
        exchange.response?.body = Self.gif(220)
        let whole = try #require(decoding(state.update(.call(call, .finished(exchange)))))
        #expect(state.screen.contains("▀"))
        _ = state.end(DecodeImageJob.self, whole, .failed("The image is damaged."))
        #expect(state.screen.contains("The image is damaged."))
    }

    @Test func `S3.19 an image of a format that is not drawn in parts is decoded when it is complete`() {
        var state = AppState.sample(size: Size(width: 120, height: 40))
        state.open("shop/orders/list")
        let call = state.sendOpen()
        let headers = Headers([HeaderField("Content-Type", "image/webp")])
        _ = state.update(.call(call, .responded(Response(status: 200, reason: "OK", headers: headers))))
        state.focus(.response)
        let webp = Array("RIFF".utf8) + [9, 9, 0, 0] + Array("WEBPVP8X".utf8) + [10, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 2, 0, 0]
        #expect(decoding(state.update(.call(call, .grew(BodyBytes(webp))))) == nil)
        #expect(state.screen.contains("The image is drawn when it is complete."))
    }

    @Test func `why an image is not drawn is displayed`() throws {
        var state = answered(Self.png(width: 2, height: 3), "image/png")
        let (id, _, _) = try #require(decoding(&state, Size(width: 120, height: 40)))
        _ = state.end(DecodeImageJob.self, id, .failed("Images need the library libgd: install the package libgd3."))
        #expect(state.screen.contains("libgd3") && state.screen.contains("PNG · 2 × 3"))
    }

    @Test func `an image with too many pixels or a damaged header is not decoded`() {
        var bytes = Self.png(width: 2, height: 3)
        bytes.replaceSubrange(16..<24, with: [0, 1, 0x86, 0xA0, 0, 1, 0x86, 0xA0])
        var large = answered(bytes, "image/png", size: Size(width: 120, height: 40))
        let reason = "The image has 100000 × 100000 pixels; above 50 million it is not drawn."
        #expect(large.responseState.picture?.outcome == .failed(reason) && large.screen.contains("is not drawn"))
        #expect(decoding(&large, Size(width: 110, height: 40)) == nil)
        let damaged = answered(Array(bytes.prefix(14)), "image/png", size: Size(width: 120, height: 40))
        #expect(damaged.responseState.picture?.outcome == .failed("The header of the image is damaged."))
    }

    @Test func `a picture has four bytes for each pixel`() {
        #expect(Picture(width: 1, height: 1, rgba: [0, 0, 0]) == nil && Picture(width: 0, height: 1, rgba: []) == nil)
        #expect(Picture(width: 1, height: 1, rgba: [0, 0, 0, 255])?.cell(column: 0, row: 0).upper == 16)
    }
}
