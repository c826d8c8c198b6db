import SortieBase
import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Tests copying to the clipboard: by a program, by the terminal, and what the message says.
@Suite struct CopyingTests {
    private func answered(_ body: String, _ clipboard: Settings.Clipboard = .auto) -> AppState {
        var state = AppState.sample(size: Size(width: 200, height: 50))
        state.settings.clipboard = clipboard
        state.open("shop/orders/list")
        state.answer(state.sendOpen(), body)
        state.focus(.response)
        return state
    }

    private func toolJob(_ effects: [Effect]) throws -> JobID {
        try #require(effects.compactMap { effect -> JobID? in if case .copy(let id, _) = effect { id } else { nil } }.first)
    }

    @Test func `the message says what was copied, its size and with which program`() throws {
        var state = answered(#"{"id": "a7", "n": 1}"#)
        state.press("j")
        let id = try toolJob(state.press("y"))
        _ = state.update(.copied(id, .done("xclip")))
        #expect(state.toast?.text == "Copied the value of $.id (2 bytes) with xclip")
        let path = try toolJob(state.press("Y"))
        _ = state.update(.copied(path, .done("")))
        #expect(state.toast?.text == "Copied the path $.id (4 bytes)")
    }

    @Test func `without a program the terminal gets the text`() throws {
        var state = answered(#"{"id": "a7"}"#)
        state.press("j")
        let id = try toolJob(state.press("y"))
        #expect(state.update(.copied(id, .failed("no program"))) == [.copyByTerminal(id, "a7")])
        _ = state.update(.copied(id, .done("OSC 52")))
        #expect(state.toast?.text == "Copied the value of $.id (2 bytes) with OSC 52")
        #expect(state.jobs.isEmpty)
    }

    @Test func `a failure of the terminal is reported`() throws {
        var state = answered(#"{"id": "a7"}"#)
        let id = try toolJob(state.press("y"))
        _ = state.update(.copied(id, .failed("no program")))
        #expect(state.update(.copied(id, .failed("the terminal linux has no clipboard"))) == [])
        #expect(state.toast?.text == "Could not copy the body: the terminal linux has no clipboard")
    }

    @Test func `a text that is too large for a terminal is refused with both reasons`() throws {
        var state = answered("[\"" + String(repeating: "x", count: ClipboardSequence.textLimit) + "\"]")
        let id = try toolJob(state.press("y"))
        #expect(state.update(.copied(id, .failed("no program is installed"))) == [])
        #expect(state.toast?.text.contains("no program is installed, and 75.0 kB are more than the 75.0 kB that a terminal takes") == true)
        #expect(state.jobs.isEmpty)
    }

    @Test func `the setting chooses the terminal, a program only, or nothing`() throws {
        var terminal = answered(#"{"id": "a7"}"#, .osc52)
        #expect(terminal.press("y").contains { if case .copyByTerminal(_, #"{"id": "a7"}"#) = $0 { true } else { false } })
        var tool = answered(#"{"id": "a7"}"#, .tool)
        let id = try toolJob(tool.press("y"))
        #expect(tool.update(.copied(id, .failed("no program"))) == [])
        #expect(tool.toast?.text == "Could not copy the body: no program")
        var off = answered(#"{"id": "a7"}"#, .off)
        #expect(off.press("y") == [])
        #expect(off.toast?.text.contains("clipboard: off") == true)
    }

    @Test func `a secret is copied masked until secrets are shown`() throws {
        var state = answered(#"{"token": "s3cret-value"}"#)
        _ = state.update(.secretUsed("s3cret-value"))
        state.press("j")
        guard case .copy(let id, let masked)? = state.press("y").first else {
            Issue.record("nothing was copied")
            return
        }
        #expect(!masked.contains("s3cret"))
        _ = state.update(.copied(id, .done("")))
        #expect(state.toast?.text.contains("secrets are masked; S shows them") == true)
        state.press("S")
        guard case .copy(_, "s3cret-value")? = state.press("y").first else {
            Issue.record("the value was not copied")
            return
        }
    }
}
