import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Tests the popup that prompts for the passphrase of a client key.
@Suite struct ClientKeyPopupTests {
    @Test(arguments: [Size(width: 80, height: 24), Size(width: 200, height: 50)])
    func `the passphrase is entered, drawn as dots, and passed on once`(size: Size) {
        var state = AppState.sample(size: size)
        state.showsSecrets = true
        _ = state.update(.clientKeyAsked(file: "/certs/me.key", wasRefused: false))
        #expect(state.screen.contains("Passphrase") && state.screen.contains("The client key is encrypted: /certs/me.key"))
        state.type("open-sesame")
        #expect(!state.screen.contains("open-sesame") && state.screen.contains("•••••••••••"))
        #expect(state.press("Enter") == [.answerClientKey(file: "/certs/me.key", passphrase: "open-sesame")])
        #expect(state.popup == nil)
        #expect(!state.log.entries.contains { $0.text.contains("open-sesame") })
        #expect(!"\(state)".contains("open-sesame"))
    }

    @Test func `Esc and an empty text cancel the prompt`() {
        for keys in ["Esc", "Enter"] {
            var state = AppState.sample()
            _ = state.update(.clientKeyAsked(file: "/certs/me.key", wasRefused: false))
            #expect(state.press(keys) == [.answerClientKey(file: "/certs/me.key", passphrase: nil)])
            #expect(state.popup == nil)
        }
    }

    @Test func `a rejected passphrase is reported as wrong`() {
        var state = AppState.sample()
        _ = state.update(.clientKeyAsked(file: "/certs/me.key", wasRefused: true))
        #expect(state.screen.contains("This passphrase does not open the key"))
    }

    @Test func `the prompt waits until the current text input is finished`() {
        var state = AppState.sample()
        state.open("shop/orders/list")
        state.press("p")
        _ = state.update(.clientKeyAsked(file: "/certs/me.key", wasRefused: false))
        #expect(state.popup == nil && state.toast?.text.contains("/certs/me.key") == true)
        state.type("x")
        #expect(state.openEndpoint?.path == "/ordersx")
        state.press("Enter")
        #expect(state.screen.contains("The client key is encrypted"))
    }

    @Test func `prompts for several keys are displayed one after the other`() {
        var state = AppState.sample()
        _ = state.update(.clientKeyAsked(file: "/a.key", wasRefused: false))
        _ = state.update(.clientKeyAsked(file: "/b.key", wasRefused: false))
        state.press("Esc")
        #expect(state.screen.contains("/b.key"))
        state.press("Esc")
        #expect(state.popup == nil)
    }
}
