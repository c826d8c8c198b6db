import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Tests the commands of vi in texts of several lines.
@Suite struct ViTests {
    /// The text after keys in normal mode, with a bar at the cursor; `‹` is Esc, and `⏎` a line break that is typed.
    private static func typed(_ keys: String, in text: String) -> String {
        var area = TextArea(text)
        var register = ""
        area.apply(.vi("\u{1B}", register: ""))
        for key in keys {
            if key == "‹" {
                area.apply(.vi("\u{1B}", register: register))
            } else if area.mode.isNormal {
                area.apply(.vi(key, register: register))
                register = area.mode.register ?? register
            } else {
                area.apply(key == "⏎" ? .newLine : .insert(String(key)))
            }
        }
        var lines = area.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let line = lines[area.row]
        lines[area.row] = String(line.prefix(area.column)) + "|" + line.dropFirst(area.column)
        return lines.joined(separator: "\n")
    }

    @Test(arguments: [("x", "one |wo"), ("cwx", "one x|"), ("ix", "one x|two"), ("n", "one |two")])
    func `a command after a search begins at the first character of the match`(keys: String, result: String) {
        var area = TextArea("one two")
        area.apply(.vi("\u{1B}", register: ""))
        area.place(.init(row: 0, column: 4))
        area.apply(.edit(.select(.end)))
        for key in keys { area.apply(area.mode.isNormal ? .vi(key, register: "") : .insert(String(key))) }
        #expect(String(area.text.prefix(area.column)) + "|" + area.text.dropFirst(area.column) == result)
    }

    private static let text = "one, two three\n  four\nfive"

    @Test(arguments: [
        ("", "|one, two three\n  four\nfive"), ("l", "o|ne, two three\n  four\nfive"), ("3lh", "on|e, two three\n  four\nfive"),
        ("w", "one|, two three\n  four\nfive"), ("2w", "one, |two three\n  four\nfive"), ("4w", "one, two three\n  |four\nfive"),
        ("e", "on|e, two three\n  four\nfive"), ("3e", "one, tw|o three\n  four\nfive"), ("$b", "one, two |three\n  four\nfive"),
        ("$", "one, two thre|e\n  four\nfive"), ("$0", "|one, two three\n  four\nfive"), ("j^", "one, two three\n  |four\nfive"),
        ("G", "one, two three\n  four\n|five"), ("2G", "one, two three\n|  four\nfive"), ("Ggg", "|one, two three\n  four\nfive"),
        ("$jj", "one, two three\n  four\nfiv|e"), ("jjkk", "|one, two three\n  four\nfive"),
    ])
    func `movements`(keys: String, result: String) { #expect(Self.typed(keys, in: Self.text) == result) }

    @Test(arguments: [
        ("x", "|ne, two three\n  four\nfive"), ("3x", "|, two three\n  four\nfive"), ("$X", "one, two thr|e\n  four\nfive"),
        ("dw", "|, two three\n  four\nfive"), ("2wd2w", "one,| \n  four\nfive"), ("2wD", "one,| \n  four\nfive"), ("dd", "  |four\nfive"),
        ("2dd", "|five"), ("Gdd", "one, two three\n  |four"), ("3dd", "|"), ("dj", "|five"),
        ("Gdj", "one, two three\n  four\n|five"), ("dk", "|one, two three\n  four\nfive"), ("G2dd", "one, two three\n  four\n|five"),
        ("j9dj", "|one, two three"), ("d$", "|\n  four\nfive"),
        ("yyp", "one, two three\n|one, two three\n  four\nfive"), ("yyGP", "one, two three\n  four\n|one, two three\nfive"),
        ("ywjp", "one, two three\n on|e four\nfive"), ("xp", "n|oe, two three\n  four\nfive"),
        ("xu", "|one, two three\n  four\nfive"), ("xxuuU", "|ne, two three\n  four\nfive"), ("ddu", "|one, two three\n  four\nfive"),
    ])
    func `deleting, yanking, putting and undoing`(keys: String, result: String) {
        #expect(Self.typed(keys, in: Self.text) == result)
    }

    @Test(arguments: [
        ("ix‹", "|xone, two three\n  four\nfive"), ("ax‹", "o|xne, two three\n  four\nfive"), ("Ax‹", "one, two three|x\n  four\nfive"),
        ("jIx‹", "one, two three\n  |xfour\nfive"), ("ox‹", "one, two three\n|x\n  four\nfive"), ("jOx‹", "one, two three\n  |x\n  four\nfive"),
        ("cwx‹", "|x, two three\n  four\nfive"), ("ccx‹", "|x\n  four\nfive"), ("2wCx‹", "one, |x\n  four\nfive"),
        ("sx‹", "|xne, two three\n  four\nfive"), ("3lcwx‹", "one|x two three\n  four\nfive"), ("$cwx‹", "one, two thre|x\n  four\nfive"),
        ("d‹x", "|ne, two three\n  four\nfive"), ("3‹x", "|ne, two three\n  four\nfive"), ("zQ", "|one, two three\n  four\nfive"),
    ])
    func `insertion, and commands that are given up or unknown`(keys: String, result: String) {
        #expect(Self.typed(keys, in: Self.text) == result)
    }

    @Test func `in a body the mode is displayed, Esc goes to normal mode and then leaves, and Ctrl-R sends`() {
        var settings = Settings()
        settings.keymap = .vi
        var state = AppState.sample(size: Size(width: 120, height: 40))
        _ = state.update(.settingsLoaded(settings))
        state.open("shop/orders/list")
        state.change { $0.body = .text("one two", contentType: nil) }
        state.requestState.tab = .body
        RequestFeature.editBody(.content, line: 0, &state)
        #expect(state.screen.contains("INSERT"))
        state.type("x")
        state.press("Esc")
        #expect(state.screen.contains("NORMAL"))
        state.type("d2")
        #expect(state.screen.contains("NORMAL d2"))
        state.press("Esc")
        #expect(state.requestState.editing?.area?.text == "xone two" && state.screen.contains("NORMAL"))
        state.type("dw")
        #expect(state.requestState.editing?.area?.text == "two" && state.cutText == "xone ")
        #expect(state.press("^R").contains { if case .send = $0 { true } else { false } })
        RequestFeature.editBody(.content, line: 0, &state)
        state.press("Esc", "Esc")
        #expect(state.requestState.editing == nil && !state.screen.contains("NORMAL"))
    }

    @Test func `without the keymap of vi, Esc leaves a body`() {
        var state = AppState.sample()
        state.open("shop/orders/list")
        state.change { $0.body = .text("one two", contentType: nil) }
        state.requestState.tab = .body
        RequestFeature.editBody(.content, line: 0, &state)
        state.press("Esc")
        #expect(state.requestState.editing == nil)
    }
}
