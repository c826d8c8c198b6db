import FoundationEssentials
import SortieHTTP
import SortieTerminal
import Testing

@testable import SortieWorkbench

/// Tests the display of the Monitor (S3.3).
@Suite struct MonitorPaneTests {
    private func traffic(_ requests: Int, errors: Int = 0) -> TrafficReport {
        var traffic = TrafficReport()
        (traffic.requests, traffic.errors, traffic.p50, traffic.p95, traffic.p99) = (requests, errors, 0.012, 0.03, 0.25)
        (traffic.bytesSent, traffic.bytesReceived, traffic.connectionsOpened, traffic.connectionsReused) = (1200, 3_000_000, 2, 38)
        return traffic
    }

    private var report: MonitorReport {
        let standing = AddressScore(score: 0.93, latency: 0.0012, successes: 15, requests: 15)
        let server = ServerReport(
            origin: "http://shop.test:8080", traffic: traffic(40, errors: 2),
            addresses: [
                AddressReport(address: "127.0.0.2", traffic: traffic(38), standing: standing, isInUse: true, reason: "better by 0.31"),
                AddressReport(address: "127.0.0.3", traffic: traffic(2, errors: 2), standing: standing, isInUse: false),
            ])
        let event = MonitorEvent(
            time: Date(timeIntervalSince1970: 1_800_000_000), kind: .server, text: "Shop: a → b, 4 of 40 failed")
        return MonitorReport(
            services: [ServiceReport(name: "shop", traffic: traffic(40, errors: 2), recent: [0, 3, 9], servers: [server])], timeline: [event])
    }

    private func state(_ size: Size) -> AppState {
        var state = AppState.sample(size: size)
        _ = state.update(.monitored(report))
        state.press("M", "z")
        return state
    }

    @Test func `at 80 columns the most important numbers are in columns`() {
        let lines = state(Size(width: 80, height: 24)).screen.split(separator: "\n").map(String.init)
        #expect(lines[1].contains("network up") && lines[1].contains("requests  errors"))
        #expect(lines[2].contains("shop ") && lines[2].contains("      40       2"))
        #expect(lines[3].contains("  http://shop.test:8080"))
        #expect(lines[4].contains("    127.0.0.2"))
        #expect(lines[5].contains("● in use · score 0.93: 1.2 ms, 15 of the last 15 succeeded"))
        #expect(lines[7].contains("○ not in use"))
        #expect(lines[8].contains("Changes, newest first"))
        #expect(lines[9].contains("08:00:00Z  server   Shop: a → b, 4 of 40 failed"))
    }

    @Test func `S3.1 the kinds of the networks are in the first line`() {
        var state = state(Size(width: 80, height: 24))
        var report = report
        report.networks = [.wireless, .wired]
        _ = state.update(.monitored(report))
        #expect(state.screen.contains("network wired, wireless"))
    }

    @Test func `at 200 columns bytes, connections and a curve are displayed as well`() {
        let lines = state(Size(width: 200, height: 50)).screen.split(separator: "\n").map(String.init)
        for title in ["success", "p50", "p95", "p99", "↑", "↓", "opened", "reused"] { #expect(lines[1].contains(title), "\(title)") }
        #expect(lines[2].contains("95.0 %") && lines[2].contains("12 ms") && lines[2].contains("3.0 MB") && lines[2].contains("▁▃█"))
    }

    @Test func `a row is copied with its numbers, and the selection can still move to the end`() {
        var state = state(Size(width: 80, height: 24))
        let effects = state.press("g", "y")
        let copied = effects.compactMap { effect in if case .copy(_, let text) = effect { text } else { nil } }
        #expect(copied.first?.hasPrefix("shop  requests 40  errors 2  success 95.0 %") == true, "\(copied)")
        state.press("G")
        #expect(state.monitor.selected == state.monitor.rows.count - 1)
    }

    @Test func `before the first request the pane describes its content`() {
        var state = AppState.sample()
        state.press("M")
        #expect(state.screen.contains("Nothing was sent yet."))
    }

    @Test func `footer and URL line display the server in use`() {
        var state = AppState(workspace: .sample, environment: "release", size: Size(width: 120, height: 40))
        state.open("shop/orders/list")
        #expect(state.screen.contains("Shop → server 1 of 2"))
        #expect(state.screen.contains("https://a.shop.example/orders"))
        _ = state.update(.monitored(MonitorReport(rings: [RingReport(service: "shop", environment: "release", index: 1)])))
        #expect(state.screen.contains("Shop → server 2 of 2"))
        #expect(state.screen.contains("https://b.shop.example/orders"))
        #expect(!state.screen.contains("https://a.shop.example"))
    }
}
