import SortieHTTP
import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Tests the settings of what is asked before it happens.
@Suite struct ConfirmationTests {
    private func state(_ change: (inout Settings) -> Void) -> AppState {
        var settings = Settings()
        change(&settings)
        return AppState(workspace: .sample, environment: nil, size: Size(width: 80, height: 24), settings: settings)
    }

    private func edited(_ state: inout AppState) {
        state.open("shop/orders/list")
        state.change { $0.path = "/changed" }
    }

    private func discard(_ state: inout AppState) {
        state.press("^P")
        state.type("discard the unsaved")
        state.press("Enter")
    }

    @Test func `discarding changes asks where the settings say so, and keeps them by default`() {
        var state = state { $0.confirmsDiscarding = true }
        edited(&state)
        discard(&state)
        #expect(state.screen.contains("Discard the changes?"))
        state.press("Enter")
        #expect(state.openEndpoint?.path == "/changed")
        discard(&state)
        state.press("↓", "Enter")
        #expect(state.openEndpoint?.path == "/orders")
        state = self.state { _ in }
        edited(&state)
        discard(&state)
        #expect(state.openEndpoint?.path == "/orders")
    }

    @Test func `removing a partial file asks where the settings say so`() {
        var state = state { $0.confirmsDiscarding = true }
        state.open("shop/big")
        let id = state.downloadOpen()
        state.press("T")
        #expect(state.press("X").isEmpty)
        #expect(state.screen.contains("Remove the partial file?"))
        #expect(state.press("↓", "Enter") == [.commandDownload(id, .cancel(keepsPart: false))])
    }

    @Test func `an existing file is replaced without a question where the settings say so, a protected one is not`() throws {
        var state = state { $0.confirmsOverwriting = false }
        state.open("shop/orders/list")
        state.answer(state.sendOpen(), "hello", contentType: "text/plain")
        state.focus(.response)
        state.press("s")
        guard let (first, save) = state.press("Enter").started(SaveFileJob.self).first else {
            Issue.record("nothing was saved")
            return
        }
        #expect(!save.overwrites)
        let effects = state.end(SaveFileJob.self, first, .exists("list.txt already exists."))
        guard let (second, again) = effects.started(SaveFileJob.self).first, again.overwrites else {
            Issue.record("the file was not replaced")
            return
        }
        #expect(state.popups.isEmpty)
        #expect(state.end(SaveFileJob.self, second, .protected("/etc is protected")).isEmpty)
        #expect(state.screen.contains("Write to a protected place?"))
    }

    @Test func `deleting files asks unless the settings say otherwise`() {
        var state = state { _ in }
        ServicesFeature.select(.group("shop/orders"), &state)
        state.press("d")
        #expect(state.screen.contains("Delete the"))
        state = self.state { $0.confirmsDeleting = false }
        ServicesFeature.select(.group("shop/orders"), &state)
        #expect(!state.press("d").isEmpty && state.popups.isEmpty)
    }

    @Test func `the list of the settings has every key of the file`() {
        var state = AppState.sample(size: Size(width: 120, height: 50))
        state.press(",")
        let keys = [
            "characters", "emoji", "confirm.delete", "confirm.overwrite", "confirm.discard", "history.days", "history.exchanges", "history.bodies",
        ]
        for key in keys {
            #expect(state.screen.contains(key), "\(key)")
        }
    }
}
