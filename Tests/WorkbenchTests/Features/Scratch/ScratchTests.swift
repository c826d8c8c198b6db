import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Tests the scratch workspace: its place, its one request, and moving that into another workspace.
@Suite struct ScratchTests {
    private let id: EndpointID = "requests/request"

    /// The scratch workspace with the edits of an earlier session.
    private func scratch(_ path: String = "", typing url: String? = nil) -> AppState {
        var workspace = Workspace(name: "Scratch", folder: "/home/me/.local/share/sortie/scratch")
        var requests = Service(folder: "requests", name: "Requests")
        let empty = Endpoint(target: id.path, name: "Request", path: "")
        requests.endpoints = [empty]
        workspace.services = [requests]
        var edited = empty
        edited.path = path
        if !path.isEmpty { edited.body = .json("{}") }
        var state = AppState(
            workspace: workspace, environment: nil, size: Size(width: 140, height: 40),
            unsaved: path.isEmpty ? [] : [EndpointDraft(original: empty, edited: edited)], folders: TransferFolders(home: "/home/me"),
            keepsDrafts: true)
        state.goBack(to: [WorkspacePlace(folder: "/projects/shop", name: "Shop")], choosesEnvironment: false)
        _ = state.startTyping(in: id, url: url)
        return state
    }

    @Test func `it says where it is`() {
        #expect(scratch().screen.contains("Scratch workspace: ~/.local/share/sortie/scratch"))
    }

    @Test func `what was not saved is replaced with the first character, stays without one, and u brings it back`() {
        var state = scratch("http://a.test/first")
        #expect(state.screen.contains("type a URL") && state.openEndpoint?.path == "http://a.test/first")
        var left = state
        left.press("Esc")
        #expect(left.openEndpoint?.path == "http://a.test/first" && left.openEndpoint?.body == .json("{}"))
        // The URL of the request that was not replaced is visible before it is sent.
        func isSent(_ effects: [Effect]) -> Bool { effects.contains { if case .send = $0 { true } else { false } } }
        var sent = state
        let (first, screen, second) = (sent.press("^R"), sent.screen, sent.press("^R"))
        #expect(!isSent(first) && screen.contains("http://a.test/first") && screen.contains("^R sends it") && isSent(second))
        state.type("http://b.test/")
        #expect(state.openEndpoint?.path == "http://b.test/" && state.openEndpoint?.body == BodyTemplate.none)
        #expect(state.press("Enter").contains { if case .send = $0 { true } else { false } })
        state.press("u")
        #expect(state.openEndpoint?.path == "http://a.test/first" && state.openEndpoint?.body == .json("{}"))
    }

    @Test func `a URL of the command line replaces it at once, and Enter sends`() {
        var state = scratch("http://a.test/first", typing: "http://b.test/?page=1")
        #expect(state.openEndpoint?.query == [Parameter("page", "1")] && state.toast?.text.contains("u brings it back") == true)
        #expect(state.press("Enter").contains { if case .send = $0 { true } else { false } })
    }

    @Test func `a URL becomes a request of the workspace that is open, which Enter sends`() {
        var state = AppState.sample(size: Size(width: 120, height: 40))
        #expect(state.startTyping("127.0.0.1:8080/teapots").isEmpty)
        #expect(state.openTarget == "shop/teapots" && state.openEndpoint?.path == "/teapots" && state.requestState.editing != nil)
        #expect(state.press("Enter").contains { if case .send = $0 { true } else { false } })
    }

    @Test func `a request is moved into a recent workspace under the name of its URL, and its place is free again`() throws {
        var state = scratch("http://a.test/orders/7?x=1")
        state.press("Esc", "^P")
        state.type("move to a project")
        state.press("Enter")
        let (job, work) = try #require(state.press("Enter").started(MoveToProjectJob.self).first)
        #expect(work.folder == "/projects/shop" && work.endpoint.target == "7" && work.endpoint.name == "7" && work.endpoint.body == .json("{}"))
        var failed = state
        failed.end(MoveToProjectJob.self, job, .failed("the workspace has no service yet"))
        #expect(failed.toast?.text.contains("Not moved") == true && failed.openEndpoint?.path == "http://a.test/orders/7?x=1")
        state.end(MoveToProjectJob.self, job, .done("shop/7.yaml"))
        #expect(state.toast?.text.contains("Moved to shop/7.yaml of /projects/shop") == true && state.unsavedDrafts.isEmpty)
    }

    @Test func `a credential in clear text is moved only when that is chosen`() throws {
        var state = scratch("http://a.test/orders/7")
        state.press("Esc")
        state.change { $0.headers = [Parameter("Authorization", "Bearer canary-1")] }
        _ = state.performFromList(.moveToProject)
        #expect(state.screen.contains("Move a credential?") && !state.screen.contains("canary-1"))
        var kept = state
        #expect(kept.press("Enter").started(MoveToProjectJob.self).isEmpty && kept.popup == nil)
        #expect(state.press("Down", "Enter").started(MoveToProjectJob.self).isEmpty)
        let (_, work) = try #require(state.press("Enter").started(MoveToProjectJob.self).first)
        #expect(work.endpoint.headers.first?.value == "Bearer canary-1")
    }

    @Test func `a pasted request that is in no file is not here any more after it was moved, unless it was changed in the meantime`() throws {
        var state = scratch("http://a.test/first")
        state.press("Esc")
        _ = state.update(.input(.paste("http://a.test/orders/7")))
        #expect(state.openTarget == "requests/7")
        _ = state.performFromList(.moveToProject)
        let (job, _) = try #require(state.press("Enter").started(MoveToProjectJob.self).first)
        var changed = state
        changed.change { $0.path += "?x=1" }
        changed.end(MoveToProjectJob.self, job, .done("shop/7.yaml"))
        #expect(changed.openEndpoint?.path == "http://a.test/orders/7?x=1")
        state.end(MoveToProjectJob.self, job, .done("shop/7.yaml"))
        #expect(state.endpoint("requests/7") == nil && state.unsavedDrafts.map(\.edited.id) == [id])
    }

    @Test func `requests of another workspace are not moved`() {
        var state = AppState.sample()
        state.open("shop/orders/list")
        _ = state.performFromList(.moveToProject)
        #expect(state.toast?.text == "Only requests of the scratch workspace are moved")
    }
}
