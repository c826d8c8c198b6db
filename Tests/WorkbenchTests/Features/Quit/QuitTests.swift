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
}
