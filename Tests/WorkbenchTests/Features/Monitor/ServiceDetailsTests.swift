import SortieHTTP
import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Tests the settings of a service in a popup.
@Suite struct ServiceDetailsTests {
    private func state(_ size: Size) -> AppState {
        var workspace = Workspace.sample
        workspace.plugins = [PluginSetting(.debugLog(), location: SourceLocation(file: "workspace.yaml"))]
        workspace.services[0].plugins = [PluginSetting(.signals(.init()), location: SourceLocation(file: "shop/service.yaml"))]
        workspace.services[0].maximumRequests = 16
        workspace.services[0].maximumConnections = 6
        workspace.services[0].servers["develop"] = ["http://a.test", "http://b.test"]
        var state = AppState(workspace: workspace, environment: "develop", size: size)
        var report = MonitorReport(services: [ServiceReport(name: "shop", traffic: TrafficReport(), recent: [], servers: [])], timeline: [])
        report.rings = [RingReport(service: "shop", environment: "develop", index: 1)]
        _ = state.update(.monitored(report))
        return state
    }

    @Test(arguments: [Size(width: 80, height: 24), Size(width: 200, height: 50)])
    func `i in Services and Monitor shows servers, plugins and limits of a service`(size: Size) {
        for keys in [["1"], ["M", "4"]] {
            var state = state(size)
            keys.forEach { state.press($0) }
            state.press("i")
            let screen = state.screen
            #expect(screen.contains("Server 1") && screen.contains("http://a.test"), "\(keys) \(screen)")
            #expect(screen.contains("http://b.test in use"))
            #expect(screen.contains("debugLog (of the workspace), then signals"))
            #expect(screen.contains("at most 16 at a time"))
            #expect(screen.contains("at most 6"))
            state.press("Esc")
            #expect(!state.screen.contains("at most 16"))
        }
    }
}
