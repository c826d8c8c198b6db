import SortieHTTP
import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Tests the form that starts an upload with its own rate.
@Suite struct UploadFormTests {
    private func form() -> AppState {
        var state = AppState.sample()
        state.open("shop/big")
        for index in state.workspace.services[0].endpoints.indices where state.workspace.services[0].endpoints[index].target == "shop/big" {
            state.workspace.services[0].endpoints[index].kind = .upload
            state.workspace.services[0].endpoints[index].uploadRate = 1_234_567
        }
        state.press("^P")
        state.type("upload the body")
        state.press("Enter")
        return state
    }

    @Test func `the rate applies to this upload, and the file of the endpoint does not change`() {
        var state = form()
        #expect(state.screen.contains("Upload big.iso") && state.screen.contains("1234567"), "\(state.screen)")
        state.press("^U")
        state.type("2MB")
        guard case .send(let id, let endpoint, _)? = state.press("Enter").first else {
            Issue.record("nothing was started: \(state.screen)")
            return
        }
        #expect(endpoint.uploadRate == 2_000_000 && QueuedCall(state.calls[id])?.stateText(state).text == "at most 2.0 MB/s")
        #expect(state.endpoint("shop/big")?.uploadRate == 1_234_567)
    }

    @Test func `an invalid rate keeps the form open`() {
        var state = form()
        state.press("^U")
        state.type("fast")
        #expect(state.press("Enter").isEmpty)
        #expect((state.popup as? Form)?.problem?.hasPrefix("“fast” is not a number of bytes a second") == true)
    }
}
