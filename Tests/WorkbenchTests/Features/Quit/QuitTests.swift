import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Tests quitting with unsaved edits.
@Suite struct QuitTests {
    @Test func `one letter does not discard edits: a question follows, in which Enter answers`() {
        var state = AppState.sample(size: Size(width: 120, height: 40))
        state.open("shop/orders/list")
        state.change { $0.path = "/other" }
        state.press("^Q")
        #expect(!state.press("d").contains(.quit) && state.screen.contains("The edits of 1 endpoint cannot be restored."), "\(state.screen)")
        var kept = state
        kept.press("Enter")
        #expect(!kept.isQuitting && kept.unsavedDrafts.count == 1, "Stay is the answer that is selected")
        #expect(!state.press("d").contains(.quit) && state.unsavedDrafts.count == 1)
        #expect(state.press("Enter").contains(.quit) && state.unsavedDrafts.isEmpty)
    }

    @Test func `edits that cannot be stored are named at once, and keep the workbench open`() {
        var state = AppState.sample(size: Size(width: 120, height: 40))
        state.open("shop/orders/list")
        state.change { $0.path = "/other" }
        _ = state.update(.notStored("the disk is full"))
        #expect(state.screen.contains("the disk is full"))
        state.press("^Q")
        for _ in 0..<9 where (state.popup as? ListPopup)?.items[(state.popup as? ListPopup)?.selected ?? 0].label != "Keep as drafts and quit" {
            state.press("Down")
        }
        #expect(state.press("Enter").contains(.quit) && state.isQuitting)
        state.stay(because: "the disk is full")
        #expect(!state.isQuitting && state.nextWorkspace == nil && state.screen.contains("Not quit"), "\(state.screen)")
        #expect(state.unsavedDrafts.count == 1)
    }
}
