import Model
import Terminal
import Testing

@testable import Workbench

@Suite struct KeymapTests {
    private let keymap = Keymap.standard

    @Test func `no two bindings share a key in one context`() {
        for context in Context.allCases {
            let keys = keymap.bindings.filter { $0.context == context }.flatMap(\.keys)
            #expect(Set(keys).count == keys.count, "\(context)")
        }
    }

    @Test(arguments: [
        [Context.services, .panes, .everywhere, .always], [.request, .panes, .everywhere, .always],
        [.response, .panes, .everywhere, .always], [.transfers, .panes, .everywhere, .always],
        [.log, .panes, .everywhere, .always],
        [.history, .panes, .everywhere, .always], [.comparing, .always],
        [.entry, .field, .everywhere, .always], [.row, .field, .everywhere, .always], [.area, .field, .everywhere, .always],
        [.popup, .menu, .always], [.popup, .field, .always], [.prompt, .field, .always],
        [.cookies, .always], [.form, .field, .always], [.form, .choice, .always],
    ])
    func `no binding hides another of the same moment`(contexts: [Context]) {
        let keys = keymap.bindings(in: contexts).flatMap(\.keys)
        let doubled = Dictionary(grouping: keys) { $0 }.filter { $0.value.count > 1 }.keys.map(\.label)
        #expect(doubled.isEmpty, "\(contexts): \(doubled)")
    }

    @Test func `every command has a key or stands in the palette`() {
        for binding in keymap.bindings { #expect(!binding.keys.isEmpty || binding.isForPalette, "\(binding.command)") }
        for command in [Command.send, .save, .discard, .reload, .problems, .quit, .suspend, .copy, .saveBody, .switchMode] {
            #expect(keymap.bindings.contains { $0.command == command && $0.isForPalette })
        }
    }

    @Test func `single letters are text while a field is edited`() {
        var state = AppState.sample()
        state.open("shop/orders/list")
        state.press("Enter")
        state.type("qdaTRy?/1")
        #expect(state.openEndpoint?.query.first?.value == "1qdaTRy?/1")
        #expect(state.focus == .request)
    }

    @Test func `Ctrl-R works from every context without a popup`() {
        for context in [[Context.entry, .field, .everywhere, .always], [.area, .field, .everywhere, .always]] {
            #expect(keymap.binding(for: .control("r"), in: context)?.command == .send)
        }
    }

    @Test func `the digits and the letters of the contract lead to their panes`() {
        var state = AppState.sample()
        for (key, pane) in [("1", Pane.services), ("2", .request), ("3", .response), ("4", .bottom)] {
            state.press(key)
            #expect(state.focus == pane)
        }
        for (key, tab) in [("T", BottomTab.transfers), ("R", .runs), ("L", .log), ("H", .history), ("M", .monitor)] {
            state.press(key)
            #expect(state.bottom.tab == tab)
            #expect(state.focus == .bottom)
        }
    }

    @Test func `the palette finds a command by a few letters and does it`() {
        var state = AppState.sample()
        state.press("^P")
        state.type("shlog")
        state.press("Enter")
        #expect(state.bottom.tab == .log)
        #expect(state.popup == nil)
    }

    @Test func `a command that does nothing now says why`() {
        var state = AppState.sample()
        state.press("^S")
        #expect(state.toast?.text == "There are no changes since the last save")
    }

    @Test func `help names the keys of the focused pane and of every place`() {
        var state = AppState.sample(size: Size(width: 120, height: 80))
        state.open("shop/orders/list")
        state.press("?")
        let screen = state.screen
        for text in ["Keys for Request", "Switch the row on or off", "^R F5", "Ctrl-Q".isEmpty ? "" : "^Q"] {
            #expect(screen.contains(text))
        }
        state.press("Esc")
        #expect(state.popup == nil)
    }

    @Test func `the footer names what works here and now`() {
        var state = AppState.sample(size: Size(width: 120, height: 24))
        #expect(state.screen.contains("Enter Open"))
        #expect(!state.screen.contains("^S Save"))
        state.open("shop/orders/list")
        state.press("Space")
        #expect(state.screen.contains("^S Save"))
        #expect(state.screen.contains("^R Send  ^P Commands  ? Help"))
    }
}
