import SortieHTTP
import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Tests marking endpoints in Services, and the run that is made of them.
@Suite struct ServicesMarkTests {
    /// The sample with Services in the focus and its first endpoint selected.
    private func state(size: Size = Size(width: 100, height: 30)) -> AppState {
        var state = AppState.sample(size: size)
        state.services.select("endpoint:shop/big")
        state.focus(.services)
        return state
    }

    @Test func `Space marks endpoints, numbers them in the order of marking, and goes on to the next row`() {
        var state = state()
        state.press("Space")
        #expect(state.screen.contains("1 marked") && state.screen.contains("1  GET  big.iso"))
        #expect(state.services.selected != .endpoint("shop/big"))
        state.services.select("endpoint:shop/orders/list")
        state.press("Space")
        #expect(state.screen.contains("2 marked"))
        #expect(state.services.marked == ["shop/big", "shop/orders/list"])
        // The key for them is in the footer, however small the terminal is.
        #expect(state.screen.split(separator: "\n").last?.contains("r Run of 2") == true, "\(state.screen)")
        state.services.select("endpoint:shop/big")
        state.press("Space")
        #expect(state.services.marked == ["shop/orders/list"] && state.screen.contains("1 marked"))
    }

    @Test func `Esc clears the marks, and Space still folds a service`() {
        var state = state()
        state.press("Space", "Esc")
        #expect(!state.screen.contains("marked") && state.services.marked.isEmpty)
        state.services.select("service:shop")
        state.press("Space")
        #expect(state.screen.contains("▸ Shop"))
    }

    @Test func `the mark of an endpoint that no longer exists is removed`() {
        var state = state()
        state.press("Space")
        var workspace = state.workspace
        workspace.services[0].endpoints.removeAll { $0.target == "shop/big" }
        _ = state.update(.workspaceLoaded(workspace))
        #expect(state.services.marked.isEmpty)
    }

    @Test func `r makes a run of the marked endpoints in their order, and shows its steps`() throws {
        var state = state()
        state.services.select("endpoint:shop/orders/list")
        state.press("Space")
        state.services.select("endpoint:shop/orders/create")
        state.press("Space", "r")
        #expect(state.screen.contains("New run of 2 endpoints") && state.screen.contains("list-create"))
        let effects = state.press("Enter")
        let run = RunDefinition(name: "list-create", kind: .chain, sending: ["shop/orders/list", "shop/orders/create"])
        guard case .editWorkspace(let job, .createRun(run, saving: []))? = effects.first else {
            Issue.record("the run is not created: \(effects)")
            return
        }
        var workspace = state.workspace
        workspace.runs.append(run)
        _ = state.update(.workspaceEdited(job, .done(FileChanges(), workspace)))
        #expect(state.isFocused(.runs) && state.services.marked.isEmpty)
        #expect(state.screen.contains("list-create") && state.screen.contains("0/2"))
        #expect(state.screen.contains("· list") && state.screen.contains("· create"))
    }

    @Test func `the menu of new items names the marked endpoints`() {
        var state = state()
        state.press("Space", "a")
        #expect(state.screen.contains("sends 1 marked endpoint in this order"))
    }
}
