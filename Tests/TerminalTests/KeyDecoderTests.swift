import Support
import Testing

@testable import SortieTerminal

struct KeyDecoderTests {
    private func events(_ text: String) -> [InputEvent] { events(Array(text.utf8)) }

    private func events(_ bytes: [UInt8]) -> [InputEvent] {
        var decoder = KeyDecoder()
        decoder.feed(bytes)
        var events: [InputEvent] = []
        while let event = decoder.next() { events.append(event) }
        return events + decoder.flush()
    }

    static let sequences: [(String, Key)] = [
        ("a", .character("a")), ("A", .character("A")), (" ", .space), ("é", .character("é")), ("漢", .character("漢")),
        ("👩", .character("👩")), ("\r", .enter), ("\n", .enter), ("\t", .tab), ("\u{7F}", .backspace), ("\u{8}", .backspace),
        ("\u{0}", .control(" ")), ("\u{1}", .control("a")), ("\u{3}", .control("c")), ("\u{10}", .control("p")),
        ("\u{11}", .control("q")), ("\u{12}", .control("r")), ("\u{13}", .control("s")), ("\u{1A}", .control("z")),
        ("\u{1C}", .control("\\")), ("\u{1F}", .control("_")), ("\u{1B}", .escape), ("\u{1B}x", .alt("x")),
        ("\u{1B}漢", .alt("漢")), ("\u{1B}\r", Key(.enter, .alt)), ("\u{1B}\u{7F}", Key(.backspace, .alt)),
        ("\u{1B}\u{12}", Key(.character("r"), [.alt, .control])), ("\u{1B}[", .alt("[")), ("\u{1B}O", .alt("O")),
        ("\u{1B}[A", .up), ("\u{1B}[B", .down), ("\u{1B}[C", .right), ("\u{1B}[D", .left),
        ("\u{1B}OA", .up), ("\u{1B}OB", .down), ("\u{1B}OC", .right), ("\u{1B}OD", .left),
        ("\u{1B}[H", .home), ("\u{1B}[F", .end), ("\u{1B}OH", .home), ("\u{1B}OF", .end), ("\u{1B}[1~", .home),
        ("\u{1B}[4~", .end), ("\u{1B}[7~", .home), ("\u{1B}[8~", .end), ("\u{1B}[2~", .insert), ("\u{1B}[3~", .delete),
        ("\u{1B}[5~", .pageUp), ("\u{1B}[6~", .pageDown), ("\u{1B}[Z", .backTab),
        ("\u{1B}OP", .function(1)), ("\u{1B}OQ", .function(2)), ("\u{1B}OR", .function(3)), ("\u{1B}OS", .function(4)),
        ("\u{1B}[11~", .function(1)), ("\u{1B}[14~", .function(4)), ("\u{1B}[15~", .function(5)), ("\u{1B}[17~", .function(6)),
        ("\u{1B}[18~", .function(7)), ("\u{1B}[19~", .function(8)), ("\u{1B}[20~", .function(9)), ("\u{1B}[21~", .function(10)),
        ("\u{1B}[23~", .function(11)), ("\u{1B}[24~", .function(12)), ("\u{1B}[25~", .function(13)),
        ("\u{1B}[[A", .function(1)), ("\u{1B}[[E", .function(5)), ("\u{1B}[P", .function(1)),
        ("\u{1B}[1;5P", Key(.function(1), .control)), ("\u{1B}[15;2~", Key(.function(5), .shift)),
        ("\u{1B}[1;5A", Key(.up, .control)), ("\u{1B}[1;2D", Key(.left, .shift)), ("\u{1B}[1;3C", Key(.right, .alt)),
        ("\u{1B}[1;6B", Key(.down, [.control, .shift])), ("\u{1B}[1;8H", Key(.home, [.control, .shift, .alt])),
        ("\u{1B}[3;5~", Key(.delete, .control)), ("\u{1B}O5C", Key(.right, .control)), ("\u{1B}Oc", Key(.right, .control)),
        ("\u{1B}[a", Key(.up, .shift)), ("\u{1B}[3$", Key(.delete, .shift)), ("\u{1B}[3^", Key(.delete, .control)),
        ("\u{1B}\u{1B}[A", Key(.up, .alt)), ("\u{1B}OM", .enter), ("\u{1B}Oy", .character("9")), ("\u{1B}Oj", .character("*")),
        ("\u{1B}[27;5;114~", .control("r")), ("\u{1B}[114;5u", .control("r")), ("\u{1B}[13;2u", Key(.enter, .shift)),
        ("\u{1B}[27u", .escape), ("\u{1B}[9;2u", .backTab), ("\u{1B}[97;2u", .character("A")), ("\u{1B}[97;3u", .alt("a")),
    ]

    @Test(arguments: sequences)
    func `a sequence is decoded as its key`(bytes: String, key: Key) {
        #expect(events(bytes) == [.key(key)])
    }

    @Test(arguments: sequences)
    func `a sequence that arrives byte by byte is the same key`(bytes: String, key: Key) {
        var decoder = KeyDecoder()
        var events: [InputEvent] = []
        for byte in bytes.utf8 {
            #expect(events.isEmpty)
            decoder.feed([byte])
            if let event = decoder.next() { events.append(event) }
        }
        #expect(events + decoder.flush() == [.key(key)])
        #expect(decoder.pending == .nothing)
    }

    @Test func `Escape alone waits for a possible sequence`() {
        var decoder = KeyDecoder()
        decoder.feed([0x1B])
        #expect(decoder.next() == nil)
        #expect(decoder.pending == .escape)
        #expect(decoder.flush() == [.key(.escape)])
        #expect(decoder.pending == .nothing)
    }

    @Test func `Escape twice is two keys`() {
        #expect(events("\u{1B}\u{1B}") == [.key(.escape), .key(.escape)])
        #expect(events("\u{1B}\u{1B}a") == [.key(.escape), .key(.alt("a"))])
    }

    @Test func `keys that arrive together stay in order`() {
        let keys: [Key] = [.character("a"), .up, .control("r"), .function(5), .character("漢"), .enter]
        #expect(events("a\u{1B}[A\u{12}\u{1B}[15~漢\r") == keys.map { .key($0) })
    }

    @Test func `a paste is delivered as one text with line feeds`() {
        #expect(
            events("x\u{1B}[200~one\rtwo\r\nthree\u{1B}[A\u{1B}[201~y") == [
                .key(.character("x")), .paste("one\ntwo\nthree\u{1B}[A"), .key(.character("y")),
            ])
    }

    @Test func `a paste may arrive in pieces`() {
        var decoder = KeyDecoder()
        var events: [InputEvent] = []
        for byte in "\u{1B}[200~漢\u{1B}[20x\u{1B}[201~q".utf8 {
            decoder.feed([byte])
            while let event = decoder.next() { events.append(event) }
        }
        #expect(events == [.paste("漢\u{1B}[20x"), .key(.character("q"))])
    }

    @Test func `a paste without an end is delivered when no more input arrives`() {
        var decoder = KeyDecoder()
        decoder.feed("\u{1B}[200~half".utf8)
        #expect(decoder.next() == nil)
        #expect(decoder.pending == .paste)
        #expect(decoder.flush() == [.paste("half")])
    }

    @Test(arguments: [
        ("\u{1B}[<0;3;4M", Mouse(kind: .press, button: .left, position: Point(column: 2, row: 3))),
        ("\u{1B}[<2;3;4M", Mouse(kind: .press, button: .right, position: Point(column: 2, row: 3))),
        ("\u{1B}[<0;3;4m", Mouse(kind: .release, button: .left, position: Point(column: 2, row: 3))),
        ("\u{1B}[<32;300;4M", Mouse(kind: .drag, button: .left, position: Point(column: 299, row: 3))),
        ("\u{1B}[<64;1;1M", Mouse(kind: .scrollUp, button: .none, position: .zero)),
        ("\u{1B}[<65;1;1M", Mouse(kind: .scrollDown, button: .none, position: .zero)),
        ("\u{1B}[<16;1;1M", Mouse(kind: .press, button: .left, position: .zero)),
        ("\u{1B}[M !!", Mouse(kind: .press, button: .left, position: .zero)),
        ("\u{1B}[M#\"!", Mouse(kind: .release, button: .none, position: Point(column: 1, row: 0))),
        ("\u{1B}[M`!!", Mouse(kind: .scrollUp, button: .none, position: .zero)),
    ])
    func `a mouse report is decoded with its action and position`(bytes: String, mouse: Mouse) {
        #expect(events(bytes) == [.mouse(mouse)])
    }

    @Test(arguments: [
        "\u{1B}[I", "\u{1B}[O", "\u{1B}[?1;2c", "\u{1B}[?2026;2$y", "\u{1B}[<0;1M", "\u{1B}[<35;1;1M",
        "\u{1B}[99999999999999999999~",
        "\u{1B}[201~", "\u{1B}[57428u", "\u{C2}\u{9B}",
    ])
    func `an unknown sequence is dropped and the next key is kept`(bytes: String) {
        #expect(events(bytes + "k").last == .key(.character("k")))
        #expect(events(bytes + "k").count <= 2)
    }

    /// Reports of colours, the version, a setting, the clipboard, graphics and the title.
    static let reports = [
        "\u{1B}]11;rgb:1e1e/dddd/1e1e\u{7}", "\u{1B}]11;rgb:1e1e/dddd/1e1e\u{1B}\\", "\u{1B}P>|WezTerm 2024\u{1B}\\", "\u{1B}P1$r0m\u{1B}\\",
        "\u{1B}]52;c;" + String(repeating: "aGFsbG8K", count: 10_000) + "\u{7}", "\u{1B}_Gi=31;OK\u{1B}\\", "\u{1B}]lä漢\u{1B}\\", "\u{1B}^x\u{1B}\\",
        "\u{1B}Xx\u{1B}\\", "\u{1B}]\u{7}", "\u{1B}P\u{1B}\\",
    ]

    @Test(arguments: reports)
    func `a report of the terminal is no key, also when it arrives in pieces`(report: String) {
        #expect(events("a" + report + "\u{1B}k") == [.key(.character("a")), .key(.alt("k"))])
        var decoder = KeyDecoder()
        var events: [InputEvent] = []
        for byte in (report + "k").utf8 {
            decoder.feed([byte])
            while let event = decoder.next() { events.append(event) }
        }
        #expect(events == [.key(.character("k"))])
        #expect(decoder.pending == .nothing)
    }

    @Test func `a report without an end ends before a control character, or when no more input arrives`() {
        #expect(events("\u{1B}]11;rgb:1e1e\ra") == [.key(.enter), .key(.character("a"))])
        #expect(events("\u{1B}]11;rgb:1e1e\u{1B}[A") == [.key(.up)])
        #expect(events("\u{1B}]11;rgb:1e1e\u{1B}") == [.key(.escape)])
        var decoder = KeyDecoder()
        decoder.feed("\u{1B}]11;rgb".utf8)
        #expect(decoder.next() == nil)
        #expect(decoder.pending == .report)
        #expect(decoder.flush() == [])
        decoder.feed("k".utf8)
        #expect(decoder.next() == .key(.character("k")))
    }

    @Test(arguments: ["]", "P", "X", "^", "_"] as [Character])
    func `Alt with the character that introduces a report is a key`(character: Character) {
        #expect(events("\u{1B}\(character)") == [.key(.alt(character))])
        #expect(events("\u{1B}\(character)\r") == [.key(.alt(character)), .key(.enter)])
        #expect(events("\u{1B}\(character)\u{1B}[A") == [.key(.alt(character)), .key(.up)])
    }

    @Test(arguments: ["]", "P", "X", "^", "_"] as [Character], ["x", "12", "Grün", String(repeating: "long ", count: 20)])
    func `text that is typed soon after such a key is kept`(character: Character, text: String) {
        let keys = text.map { InputEvent.key(.character($0)) }
        #expect(events("\u{1B}\(character)\(text)") == [.key(.alt(character))] + keys)
        #expect(events("\u{1B}\(character)\(text)\r") == [.key(.alt(character))] + keys + [.key(.enter)])
    }

    @Test func `bytes that are not UTF-8 are displayed as replacement characters`() {
        let unknown = InputEvent.key(.character("\u{FFFD}"))
        #expect(events([0xFF, 0x61]) == [unknown, .key(.character("a"))])
        #expect(events([0xE6, 0x61]) == [unknown, .key(.character("a"))])
        #expect(events([0xED, 0xA0, 0x80]) == [unknown, unknown, unknown])
        #expect(events([0xE6, 0xBC]) == [unknown])
    }

    @Test func `no bytes cause a crash or affect the next key`() {
        var generator = SeededGenerator(seed: 7)
        let likely = Array("\u{1B}[O<;0123M~".utf8)
        for _ in 0..<2000 {
            let bytes = (0..<40).map { _ in
                let number = generator.next()
                return number % 3 == 0 ? UInt8(truncatingIfNeeded: number >> 8) : likely[Int(number >> 9) % likely.count]
            }
            var decoder = KeyDecoder()
            decoder.feed(bytes)
            while decoder.next() != nil {}
            _ = decoder.flush()
            decoder.feed("k".utf8)
            #expect(decoder.next() == .key(.character("k")))
        }
    }

    @Test func `two quick presses on a cell are a double click`() {
        var clicks = ClickCounter()
        let press = Mouse(kind: .press, button: .left, position: .zero)
        let release = Mouse(kind: .release, button: .left, position: .zero)
        #expect(clicks.count(press, at: 1000).kind == .press)
        #expect(clicks.count(release, at: 1050).kind == .release)
        #expect(clicks.count(press, at: 1300).kind == .doubleClick)
        #expect(clicks.count(press, at: 1350).kind == .press)
        #expect(clicks.count(press, at: 2000).kind == .press)
        #expect(clicks.count(Mouse(kind: .press, button: .left, position: Point(column: 1, row: 0)), at: 2100).kind == .press)
    }
}
