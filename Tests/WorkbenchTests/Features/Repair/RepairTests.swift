import SortieHTTP
import SortieStorage
import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Tests going from a failure to the setting that its hint names.
@Suite struct RepairTests {
    /// A state whose open endpoint failed.
    private func failed(_ error: NetworkError, width: Int = 120) -> AppState {
        var state = AppState(workspace: .sample, environment: nil, size: Size(width: width, height: 40), sections: YAMLSections())
        state.open("shop/orders/list")
        let call = state.sendOpen()
        _ = state.update(.call(call, .finished(.sample(error: error))))
        state.focus(.response)
        return state
    }

    @Test(arguments: [
        (NetworkError.Remedy.totalTimeout, "Total timeout"), (.redirectLimit, "Redirects"), (.encodedBody, "Compression"),
    ])
    func `Enter goes to the option that the hint of a failure names`(remedy: NetworkError.Remedy, option: String) {
        // The longest hint has one line in a response pane of this width.
        var state = failed(NetworkError(.timedOut, "it took too long", remedy: remedy), width: 240)
        #expect(state.screen.contains("Enter in Response goes there") && state.screen.contains("it took too long"), "\(state.screen)")
        state.press("Enter")
        #expect(state.focus == .request && RequestFeature.selectedRow(state)?.name.contains(option.prefix(5)) == true)
    }

    @Test(arguments: [
        (NetworkError.Remedy.damagedPart, "sends the request again"), (.bodyLimit, "asks for the file"), (.simulatedConditions, "switches them off"),
    ])
    func `the hint says what Enter does where it goes to no setting`(remedy: NetworkError.Remedy, action: String) {
        let state = failed(NetworkError(.timedOut, "it took too long", remedy: remedy), width: 240)
        #expect(state.screen.contains("Enter in Response \(action)") && !state.screen.contains("goes there"), "\(state.screen)")
    }

    @Test func `a failure of the proxy leads to the service, and a host that is not found to the URL`() {
        var proxy = failed(NetworkError(.connectionRefused, "the proxy refused the connection", remedy: .runningProxy))
        proxy.press("Enter")
        #expect(proxy.shownService?.folder == "shop" && ServiceFeature.selectedRow(proxy)?.name == "Proxy: URL")
        var host = failed(NetworkError(.hostNotFound, "there is no host hots.test", remedy: .spellingOrAddress(host: "hots.test")))
        host.press("Enter")
        #expect(host.requestState.editing != nil)
    }

    @Test func `a failure without such a setting names none, and Enter says its hint`() {
        var state = failed(NetworkError(.connectionRefused, "127.0.0.1:8080 refused the connection", hint: "check that the server is running"))
        #expect(!state.screen.contains("goes there") && state.screen.contains("check that the server is running"))
        #expect(state.press("Enter").isEmpty && state.toast?.text == "check that the server is running")
    }

    @Test func `the display has no codes and no options of commands`() {
        let state = failed(NetworkError(.timedOut, "it took too long", remedy: .totalTimeout))
        #expect(!state.screen.contains("timedOut") && !state.screen.contains("--") && state.screen.contains("timed out"), "\(state.screen)")
    }
}
