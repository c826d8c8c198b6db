import Foundation
import Support
import Testing

@Suite struct VirtualScreenTests {
    private func screen(_ text: String, columns: Int = 10, rows: Int = 4) -> VirtualScreen {
        var screen = VirtualScreen(columns: columns, rows: rows)
        screen.feed(Array(text.utf8))
        return screen
    }

    @Test(arguments: [
        ("ab\r\ncd", "ab\ncd"),
        ("0123456789ab", "0123456789\nab"),
        ("0123456789\r\nab", "0123456789\nab"),  // Writing the last column does not wrap yet.
        ("1\r\n2\r\n3\r\n4\r\n5", "2\n3\n4\n5"),
        ("\u{1b}[2;3Hx\u{1b}[Hy\u{1b}[4Gz", "y  z\n  x"),
        ("abc\u{1b}[2DX", "aXc"),
        ("abcdef\u{1b}[3G\u{1b}[K", "ab"),
        ("abcdef\u{1b}[3G\u{1b}[1K", "   def"),
        ("abcdef\u{1b}[2G\u{1b}[2X", "a  def"),
        ("abcdef\u{1b}[2G\u{1b}[2P", "adef"),
        ("abcdef\u{1b}[2G\u{1b}[2@", "a  bcdef"),
        ("abc\u{1b}[2G\u{1b}[4hXY\u{1b}[4lZ", "aXYZc"),
        ("a\u{1b}[5b|", "aaaaaa|"),
        ("1\r\n2\r\n3\r\n4\u{1b}[2H\u{1b}[L", "1\n\n2\n3"),
        ("1\r\n2\r\n3\r\n4\u{1b}[2H\u{1b}[M", "1\n3\n4"),
        ("1\r\n2\r\n3\r\n4\u{1b}[2;3r\u{1b}[3H\n", "1\n3\n\n4"),
        ("1\r\n2\r\n3\r\n4\u{1b}[2;3r\u{1b}[2H\u{1b}M", "1\n\n2\n4"),
        ("1\r\n2\r\n3\u{1b}[S", "2\n3"),
        ("abc\u{1b}[2J\u{1b}[Hx", "x"),
        ("\u{1b}(0lqk\u{1b}(Bq", "┌─┐q"),
        ("\u{1b})0\u{0e}x\u{0f}x", "│x"),
        ("a\tb", "a       b"),
        ("日本\u{1b}[2GX", " X本"),  // One half of a wide character is overwritten.
        ("012345678日", "012345678\n日"),
        ("e\u{301}x", "e\u{301}x"),
        ("\u{1b}]0;title\u{7}a\u{1b}]8;;x\u{1b}\\b\u{1b}P1$r\u{1b}\\c", "abc"),
        ("\u{1b}[1;31;48;5;200ma\u{1b}[m", "a"),
    ]) func `the screen displays the same as an xterm`(input: String, text: String) {
        let screen = screen(input)
        #expect(screen.text == text)
        #expect(screen.unrecognised == [])
    }

    @Test func `bytes may be fed in any pieces`() {
        var screen = VirtualScreen(columns: 10, rows: 2)
        for byte in Array("\u{1b}[1;3H日\u{1b}[31mx".utf8) { screen.feed([byte]) }
        #expect(screen.text == "  日x")
        #expect(screen.style(of: "x")?.foreground == .indexed(1))
    }

    @Test func `the alternate screen hides the main one and restores it with the cursor`() {
        var screen = screen("main\u{1b}[?1049h\u{1b}[H\u{1b}[2Jfull")
        #expect(screen.text == "full" && screen.isInAlternateScreen)
        screen.feed(Array("\u{1b}[?1049l".utf8))
        #expect(screen.text == "main" && !screen.isInAlternateScreen)
        #expect(screen.cursor == VirtualScreen.Position(row: 0, column: 4))
    }

    @Test func `modes are tracked`() {
        let screen = screen("\u{1b}[?25l\u{1b}[?1000h\u{1b}[?1006h\u{1b}[?2004h")
        #expect(!screen.isCursorVisible && screen.isMouseReported && screen.isPasteBracketed)
    }

    @Test func `styles are recorded and a text is found by its cell`() {
        let screen = screen("日 \u{1b}[1;7;38;5;208mhot\u{1b}[0m cold")
        #expect(screen.position(of: "hot") == VirtualScreen.Position(row: 0, column: 3))
        #expect(screen.style(of: "hot")?.isReversed == true && screen.style(of: "hot")?.foreground == .indexed(208))
        #expect(screen.style(of: "col") == CellStyle())
    }

    @Test func `unsupported sequences are listed`() {
        #expect(screen("\u{1b}[5;1y").unrecognised == ["^[[y with 5;1"])
    }

    @Test func `an asciicast draws the screens of a film with their styles, one after the other`() throws {
        let screens = [screen("\u{1b}[1;38;5;208mhot\u{1b}[m 日本"), screen("\u{1b}[48;2;1;2;3mblue\u{1b}[m\r\nx \u{1b}[7;33my")]
        var film = Film()
        for (number, screen) in screens.enumerated() { film.append(screen, "screen \(number)", seconds: 1.5) }
        let lines = try film.asciicast(title: "A “film”").split(separator: "\n").map { try JSONSerialization.jsonObject(with: Data($0.utf8)) }
        let head = try #require(lines.first as? [String: Any])
        #expect(head["width"] as? Int == 10 && head["height"] as? Int == 6 && head["title"] as? String == "A “film”")
        let events = lines.dropFirst().compactMap { $0 as? [Any] }
        #expect(events.compactMap { ($0.first as? NSNumber)?.doubleValue } == [0, 1.5, 3])
        var played = VirtualScreen(columns: 10, rows: 6)
        for (number, screen) in screens.enumerated() {
            played.feed(Array(try #require(events[number].last as? String).utf8))
            #expect(Array(played.rows.prefix(4)) == screen.rows && played.rows[5] == "screen \(number)")
            for text in ["hot", "blue", "y"] where screen.style(of: text) != nil { #expect(played.style(of: text) == screen.style(of: text)) }
        }
    }
}
