import FoundationEssentials
import SortieHTTP
import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Tests the Cache view: cached responses with content, size and age, removing them, and sending past the cache (S1.43).
@Suite struct CacheViewTests {
    private static let now = Date(timeIntervalSince1970: 1_000_000)

    private static func entry(_ id: String, _ path: String, age: Double, service: String? = "shop", isOnDisk: Bool = true) -> CacheEntry {
        let response = Response(
            status: 200, reason: "OK", headers: [HeaderField("Content-Type", "application/json"), HeaderField("Set-Cookie", "sid=s3cret")],
            body: BodyBytes(Array(#"{"path": "\#(path)"}"#.utf8)))
        return CacheEntry(
            id: id, method: .get, url: HTTPURL(scheme: .http, host: "shop.example", path: path), service: service, response: response,
            storedAt: now.addingTimeInterval(-age), lifetime: .seconds(60), isOnDisk: isOnDisk, size: 1000)
    }

    private static let entries = [entry("aaaa", "/orders", age: 5), entry("bbbb", "/users", age: 90, service: nil, isOnDisk: false)]

    private func opened(_ entries: [CacheEntry] = Self.entries, size: Size = Size(width: 80, height: 24)) -> AppState {
        var state = AppState.sample(size: size)
        answer(state.press("V"), entries, &state)
        return state
    }

    @discardableResult
    private func answer(_ effects: [Effect], _ entries: [CacheEntry], _ state: inout AppState, removed: Int? = nil) -> CacheRequest? {
        for (id, job) in effects.started(CacheJob.self) {
            _ = state.end(CacheJob.self, id, CacheListing(entries, readAt: Self.now, removed: removed))
            return job.request
        }
        return nil
    }

    @Test func `S1.43 entries are listed with size, age, state and place`() {
        let lines = opened().screen.split(separator: "\n").map(String.init)
        #expect(lines[0].hasPrefix("┌ Cache  2 responses · 2.0 kB ─"), "\(lines[0])")
        #expect(lines[2].contains("GET    200") && lines[2].contains("fresh   disk   http://shop.example/orders"), "\(lines[2])")
        #expect(lines[3].contains("expired memory http://shop.example/users"), "\(lines[3])")
        #expect(lines[2].contains(" 5.0 s ") || lines[2].contains(" 5 s "), "\(lines[2])")
    }

    @Test(arguments: [(90.0, "1 min 30 s"), (432_300.0, "120 h 05 min")])
    func `size and age have a space between them`(age: Double, text: String) {
        let screen = opened([Self.entry("aaaa", "/orders", age: age)]).screen
        #expect(screen.contains(" B \(text) ") || screen.contains(" B  \(text) "), "\(screen)")
    }

    @Test func `S1.24 the limit that the workspace sets is displayed beside the size`() {
        var workspace = Workspace.sample
        workspace.cacheLimit = 50_000_000
        var state = AppState(workspace: workspace, environment: nil, size: Size(width: 80, height: 24))
        answer(state.press("V"), Self.entries, &state)
        #expect(state.screen.contains("2 responses · 2.0 kB of 50.0 MB, on disk and in memory each"), "\(state.screen)")
    }

    @Test func `S1.43 Enter shows the stored response with its secrets masked`() {
        var state = opened()
        state.press("Enter")
        #expect(state.screen.contains(#"{"path": "/orders"}"#))
        #expect(state.screen.contains("Set-Cookie: ••••") && !state.screen.contains("s3cret"))
        state.press("Esc")
        #expect(state.screen.contains("2 responses"))
    }

    @Test func `S1.43 an entry, those of its service, and all are removed`() {
        var state = opened()
        #expect(answer(state.press("d"), [Self.entries[1]], &state, removed: 1) == .remove(["aaaa"]))
        #expect(state.screen.contains("1 response ") && state.toast?.text == "1 cached response removed")
        #expect(answer(state.press("D"), [], &state, removed: 1) == .removeService(nil))
        #expect(state.screen.contains("No response is cached."))
        state = opened()
        #expect(answer(state.press("X"), [], &state, removed: 2) == .clear)
        #expect(state.toast?.text == "2 cached responses removed")
    }

    @Test func `a damaged file is reported`() {
        var state = AppState.sample()
        for (job, _) in state.press("V").started(CacheJob.self) {
            _ = state.end(
                CacheJob.self, job, CacheListing([], readAt: Self.now, problems: ["a damaged cache entry was removed, /x: it is incomplete"]))
        }
        #expect(state.toast?.text.contains("/x: it is incomplete") == true)
    }

    @Test func `S2.61 F6 sends the request past the cache and leaves the endpoint unchanged`() {
        var state = AppState.sample()
        state.open("shop/orders/list")
        #expect(state.press("F6") == [])
        #expect(state.toast?.text.contains("has no cache: setting") == true)
        var workspace = Workspace.sample
        for index in workspace.services[0].endpoints.indices { workspace.services[0].endpoints[index].cache = CacheSetting(isOnDisk: true) }
        state = AppState(workspace: workspace, environment: nil, size: Size(width: 80, height: 24))
        state.open("shop/orders/list")
        let policies = state.press("F6").compactMap { effect -> RequestOptions.CachePolicy? in
            if case .send(_, let endpoint, _) = effect { return endpoint.cache?.policy }
            return nil
        }
        #expect(policies == [.reload])
        #expect(state.openEndpoint?.cache?.policy == .use)
    }
}
