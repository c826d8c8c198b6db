import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Tests that what was typed in an open form is there in the next session.
@Suite struct FormDraftTests {
    private func restored(_ forms: [FormDraft]) -> AppState {
        var state = AppState.sample()
        _ = state.start(parked: [], forms: forms)
        return state
    }

    @Test func `an unfinished environment is stored while it is typed, opened again, and removed with its form`() {
        var state = AppState.sample()
        state.press("^E")
        state.type("n")
        state.press("Enter")
        #expect(state.screen.contains("such as test") && state.unsavedEdits.isEmpty, "\(state.screen)")
        state.type("stage")
        state.press("Tab", "Space")
        let forms = state.unsavedEdits.forms
        #expect(forms.map(\.kind) == ["environment"] && forms.first?.values["Name"] == "stage")
        var next = restored(forms)
        #expect(next.screen.contains("New environment") && next.screen.contains("stage"), "\(next.screen)")
        #expect(next.unsavedEdits.forms == forms)
        next.press("Esc")
        #expect(next.unsavedEdits.isEmpty && next.popups.isEmpty)
    }

    @Test func `a new variable is kept without a value that may be a secret`() {
        func typed(_ name: String, _ value: String, stored: Bool = false) -> FormDraft? {
            var state = AppState.sample()
            state.press("E")
            state.type("a\(name)")
            state.press("Tab")
            state.type(value)
            state.press("Tab")
            for _ in 0..<10 where stored && !state.screen.contains("secret: stored on this machine") { state.press("Space") }
            return state.unsavedEdits.forms.first
        }
        #expect(typed("colour", "blue")?.values["Value"] == "blue")
        #expect(typed("token", "sesame-1").map { $0.values["Value"] } == .some(nil))
        #expect(typed("token=sesame-1", "")?.values["Name"] == "token")
        #expect(typed("", "sesame-1") == nil, "nothing is kept before the variable has a name")
        let stored = typed("colour", "sesame-1", stored: true)
        #expect(stored?.values["Defined in"] == "secret: stored on this machine" && stored?.values["Value"] == nil, "\(String(describing: stored))")
        let restored = restored([FormDraft(kind: "variable", values: ["Name": "colour", "Value": "blue", "Defined in": "gone"])])
        #expect(restored.screen.contains("New variable") && restored.screen.contains("blue"), "\(restored.screen)")
        #expect(!self.restored([FormDraft(kind: "value", subject: ["gone"], values: ["Value": "x"])]).screen.contains("Edit"))
    }

    @Test func `quitting asks about an open form, which stays open, is kept, or is discarded`() {
        var state = AppState.sample()
        state.press("^E")
        state.type("n")
        state.press("Enter")
        state.type("stage")
        state.press("^Q")
        #expect(state.screen.contains("1 form not finished"), "\(state.screen)")
        state.press("^Q")
        var stays = state
        stays.press("Enter")
        #expect(stays.screen.contains("New environment") && stays.unsavedEdits.forms.count == 1 && !stays.isQuitting, "\(stays.screen)")
        var kept = state
        #expect(kept.press("↓", "Enter").contains(.quit) && kept.unsavedEdits.forms.count == 1)
        state.press("↓", "↓", "Enter")
        #expect(state.screen.contains("The edits of 1 form cannot be restored."), "\(state.screen)")
        var back = state
        back.press("Enter")
        #expect(back.screen.contains("New environment"), "\(back.screen)")
        #expect(state.press("↓", "Enter").contains(.quit) && state.unsavedEdits.isEmpty)
    }
}
