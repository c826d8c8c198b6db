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

    /// The settings of the service, with a change of its workspace, as the popup displays them.
    private func details(environment: String = "develop", _ change: (inout Workspace) -> Void) -> String {
        var workspace = Workspace.sample
        workspace.environments = [WorkspaceEnvironment(name: "develop"), WorkspaceEnvironment(name: "test")]
        change(&workspace)
        var state = AppState(workspace: workspace, environment: environment, size: Size(width: 200, height: 50))
        state.press("1", "i")
        return state.screen
    }

    @Test func `S2.3 S0.38 the effective trust is displayed with its place`() {
        let change = { (workspace: inout Workspace) in
            workspace.trust.certificateAuthorityFile = workspace.folder + "/certs/all.pem"
            workspace.trust.minimumTLS = .tls13
            workspace.environments[1].trust.certificateAuthorityFile = workspace.folder + "/certs/test.pem"
            workspace.environments[1].trust.isInsecure = true
            workspace.services[0].trust.pinFiles = [workspace.folder + "/shop/server.pem"]
            workspace.services[0].trust.pinMatch = .certificate
        }
        let develop = details(change)
        #expect(develop.contains("certs/all.pem (of the workspace)"))
        #expect(develop.contains("certificates are verified, version 1.3 or later (of the workspace)"))
        #expect(develop.contains("the certificate of the server must be one of shop/server.pem") && !develop.contains("server.pem (of"))
        let test = details(environment: "test", change)
        #expect(test.contains("certs/test.pem (of the environment test)"))
        #expect(test.contains("certificates are NOT verified (of the environment test)"))
    }

    @Test func `S2.3 the effective proxy is displayed with its place, without its password`() {
        #expect(
            details { $0.proxy = ProxyTemplate(url: "http://p.test:3128", except: ["a.test"]) }.contains(
                "http://p.test:3128, except for a.test (of the workspace)"))
        let none = details {
            $0.proxy = ProxyTemplate(url: "http://p.test:3128")
            $0.services[0].proxy = ProxyTemplate(url: "")
        }
        #expect(none.contains("none, in place of that of the workspace"))
        let own = details { $0.services[0].proxy = ProxyTemplate(url: "http://me:hunter2@own.test:3128") }
        #expect(own.contains("own.test:3128") && !own.contains("hunter2") && !own.contains("of the workspace)"))
    }

    @Test func `S3.14 S3.12 the connections of downloads and the source of addresses are displayed`() {
        let screen = details {
            $0.services[0].maximumDownloads = 3
            $0.services[0].maximumResources = 5
            $0.services[0].addresses = AddressSettings(source: .system, isResolvedAhead: true)
        }
        #expect(screen.contains("at most 5 separate connections"))
        #expect(screen.contains("at most 3 separate connections") && screen.contains("from the system, resolved in advance"))
    }
}
