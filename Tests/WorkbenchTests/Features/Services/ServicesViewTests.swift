import SortieHTTP
import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Tests the rows of Services: narrow panes, marks of git, and what is shown in free rows.
@Suite struct ServicesViewTests {
    private func lines(_ state: AppState) -> [String] {
        let width = state.layout.services.width
        return state.screen.split(separator: "\n").prefix(state.layout.services.height).map { line in
            String(CellWidth.prefix(of: String(line), fitting: width))
        }
    }

    // MARK: Narrow panes

    @Test func `on the smallest screen names are shortened, and methods abbreviated`() {
        var state = AppState.sample(size: Layout.minimum)
        state.open("shop/orders/list")
        state.answer(state.sendOpen())
        state.focus(.services)
        let text = lines(state).joined(separator: "\n")
        #expect(text.contains("GET big.iso"))
        #expect(text.contains("P Create o…"))
        #expect(text.contains("G List… 200"))
    }

    @Test func `every endpoint has a part of its name, however deep it is`() {
        var workspace = Workspace.sample
        workspace.services[0].endpoints = [Endpoint(target: "shop/a/b/c/d/e/f/g/h/deep", name: "Deepest endpoint", method: .options, path: "/")]
        let state = AppState(workspace: workspace, environment: nil, size: Size(width: 40, height: 30))
        #expect(lines(state).contains { $0.contains("Deepest") })
    }

    @Test func `an edited endpoint with a response keeps a part of its name`() {
        var state = AppState.sample(size: Size(width: 40, height: 12))
        state.open("shop/orders/list")
        state.answer(state.sendOpen(), status: 500)
        state.change { $0.path = "/other" }
        state.focus(.services)
        #expect(lines(state).contains { $0.contains("List") && $0.contains("•") })
    }

    @Test func `a service with another name than its folder shows the folder`() {
        var workspace = Workspace.sample
        workspace.services[0].name = "The shop of the town"
        workspace.services[0].folder = "shop"
        let state = AppState(workspace: workspace, environment: nil, size: Size(width: 120, height: 35))
        #expect(state.screen.contains("The shop of the town  shop"))
        #expect(!AppState.sample(size: Size(width: 120, height: 35)).screen.contains("Shop  shop"))
    }

    @Test func `a call of gRPC has the status and the message of gRPC`() {
        for (code, mark) in [("0", "OK"), ("5", "5")] {
            var state = AppState.sample(size: Size(width: 120, height: 35))
            state.open("shop/orders/list")
            var exchange = Exchange.sample("[]")
            exchange.response?.trailers = ["grpc-status": code, "grpc-message": "message \(code)"]
            _ = state.update(.call(state.sendOpen(), .finished(exchange)))
            #expect(lines(state).contains { $0.contains("List orders") && $0.hasSuffix(" \(mark)│") })
            #expect(state.screen.contains("message \(code)"))
        }
    }

    // MARK: Git

    private func marked(_ status: GitStatus, size: Size = Size(width: 120, height: 35)) throws -> AppState {
        var state = AppState.sample(size: size)
        let effects = state.watchGit()
        guard let job = effects.started(GitJob.self).first?.id else { throw Missing() }
        _ = state.end(GitJob.self, job, status)
        return state
    }

    private struct Missing: Error {}

    @Test func `changed files have a mark at the right edge, and the footer of a wide screen names the branch`() throws {
        let state = try marked(GitStatus(branch: "main", marks: ["shop/orders/list.yaml": .modified]))
        #expect(lines(state).contains { $0.contains("List orders") && $0.hasSuffix("M│") })
        #expect(state.screen.contains("on main"))
        #expect(try !marked(GitStatus(branch: "main"), size: Size(width: 80, height: 24)).screen.contains("on main"))
    }

    @Test func `the marks are in addition to the status of the response`() throws {
        var state = try marked(GitStatus(branch: nil, marks: ["shop/orders/list.yaml": .untracked]))
        state.open("shop/orders/list")
        state.answer(state.sendOpen())
        #expect(lines(state).contains { $0.contains("List orders") && $0.hasSuffix("200 ?│") })
    }

    @Test func `the marks are read again after the files changed, and an older result is dropped`() throws {
        var state = try marked(GitStatus(marks: ["shop/orders/list.yaml": .modified]))
        let effects = state.update(.workspaceLoaded(.sample))
        guard let job = effects.started(GitJob.self).first?.id else { throw Missing() }
        let again = state.update(.workspaceLoaded(.sample))
        guard let newer = again.started(GitJob.self).first?.id else { throw Missing() }
        #expect(again.contains(.cancelJobs([job])))
        _ = state.end(GitJob.self, newer, GitStatus())
        _ = state.end(GitJob.self, job, GitStatus(marks: ["shop/orders/list.yaml": .added]))
        #expect(state.git == GitStatus())
    }

    @Test func `the marks are read when permission is given`() throws {
        var state = try marked(GitStatus())
        #expect(state.update(.input(.resumed)).started(GitJob.self).count == 1)
        #expect(GitFeature.refresh(after: .tick(now: 1), [.permit([], isForGood: true)], &state).count == 1)
        #expect(GitFeature.refresh(after: .tick(now: 1), [], &state) == [])
    }

    @Test func `git is not run before the program watches it, and where the settings switch it off`() throws {
        var state = AppState.sample()
        #expect(state.update(.workspaceLoaded(.sample)) == [])
        var settings = Settings()
        settings.showsGit = false
        settings.path = "/c/config.yaml"
        var marked = try marked(GitStatus(branch: "main", marks: ["shop/orders/list.yaml": .modified]))
        #expect(marked.update(.settingsLoaded(settings)) == [])
        #expect(marked.git == GitStatus())
        #expect(marked.update(.workspaceLoaded(.sample)) == [])
        settings.showsGit = true
        #expect(marked.update(.settingsLoaded(settings)).count == 1)
    }

    // MARK: Free rows

    private func opened(_ size: Size = Size(width: 200, height: 50)) -> AppState {
        var workspace = Workspace.sample
        workspace.services[0].endpoints[2].tags = ["orders", "smoke"]
        workspace.services[0].endpoints[2].summary = "All orders by page."
        var state = AppState(workspace: workspace, environment: nil, size: size)
        state.open("shop/orders/list")
        return state
    }

    @Test(arguments: [Size(width: 80, height: 24), Size(width: 200, height: 50)])
    func `free rows show tags and recent exchanges, the newest first`(size: Size) {
        var state = opened(size)
        #expect(state.screen.contains("#orders #smoke") && !state.screen.contains("200  34 ms"))
        #expect(state.screen.contains("─ List orders ─") == (size.width == 80))
        _ = state.update(.tick(now: 61))
        state.answer(state.sendOpen(), status: 404)
        _ = state.update(.tick(now: 62))
        state.answer(state.sendOpen())
        _ = state.update(.tick(now: 63))
        let rows = state.screen.split(separator: "\n")
        let newest = rows.firstIndex { $0.contains("200  34 ms") }
        let oldest = rows.firstIndex { $0.contains("404  34 ms") }
        #expect(newest != nil && oldest == newest.map { $0 + 1 }, "\(rows)")
        #expect(rows.contains { $0.contains("00:01:02  404") })
    }

    @Test func `free rows show the resolved URL where the request line truncates it`() {
        var state = opened(Size(width: 80, height: 24))
        #expect(!lines(state).joined().contains("http://"))
        state.change { $0.path = "/orders/with/a/long/path/that/is/cut/off" }
        #expect(lines(state).joined().contains("http://127.0.0.1:8080"))
    }

    @Test func `the description is in Services where Request has no room for it`() {
        let small = opened(Size(width: 80, height: 24))
        #expect(small.screen.contains("All orders by page.") && !lines(small).joined().contains("All orders by page."))
        var full = small
        full.change { $0.query = (0..<30).map { Parameter("p\($0)", "1") } }
        #expect(lines(full).joined().contains("All orders by page."))
        #expect(opened().screen.contains("All orders by page."))
    }

    @Test func `the facts take no row of the tree`() {
        var workspace = Workspace.sample
        workspace.services[0].endpoints = (10..<27).map { Endpoint(target: "shop/e\($0)", name: "Endpoint \($0)", path: "/e\($0)") }
        var state = AppState(workspace: workspace, environment: nil, size: Size(width: 80, height: 24))
        state.open("shop/e10")
        let text = lines(state).joined(separator: "\n")
        for number in 10..<27 { #expect(text.contains("Endpoint \(number)")) }
        #expect(!text.contains("─ Endpoint 10"))
    }

    @Test func `the status of git is read again after a commit of another program`() {
        var state = AppState.sample()
        _ = state.watchGit()
        #expect(state.update(.gitChanged).started(GitJob.self).count == 1)
    }
}
