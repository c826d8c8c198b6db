import SortieHTTP
import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Tests switching a service to another server of its ring (S1.8).
@Suite struct ServersTests {
    private func state(monitor: Bool) -> AppState {
        var workspace = Workspace.sample
        workspace.services[0].servers["develop"] = ["http://a.test", "http://b.test", "http://c.test"]
        var state = AppState(workspace: workspace, environment: "develop", size: Size(width: 80, height: 24))
        var report = MonitorReport(services: [ServiceReport(name: "shop", traffic: TrafficReport(), recent: [], servers: [])], timeline: [])
        report.rings = [RingReport(service: "shop", environment: "develop", index: 1)]
        _ = state.update(.monitored(report))
        state.open("shop/orders/list")
        if monitor { state.press("M", "4") }
        return state
    }

    @Test func `S1.8 s in Monitor lists the servers with the one in use, and switches to the chosen one`() {
        var state = state(monitor: true)
        #expect(state.screen.contains("server 2 of 3"))
        state.press("s")
        #expect(state.screen.contains("Server of ") && state.screen.contains("http://c.test"))
        #expect(state.screen.contains("in use"))
        #expect(state.press("End", "Enter") == [.switchServer(service: "shop", environment: "develop", to: 2, of: 3)])
        #expect(state.toast?.text.hasSuffix("go to its server 3 of 3") == true)
    }

    @Test func `the palette switches the server of the open endpoint, and names why it cannot`() {
        var state = state(monitor: false)
        state.press("^P")
        state.type("switch the service")
        state.press("Enter")
        #expect(state.screen.contains("Server of "))
        state = .sample()
        state.open("shop/orders/list")
        state.press("^P")
        state.type("switch the service")
        state.press("Enter")
        #expect(state.toast?.text.contains("has a single server in develop") == true || state.screen.contains("has a single server"))
    }
}
