import BodyViews
import SortieHTTP
import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Tests changes of the workspace's files by another program while the workbench is open.
@Suite struct FileChangesTests {
    private let target: EndpointID = "shop/orders/list"

    /// The sample with an unsaved edit: the first parameter of the list endpoint is 2.
    private func edited() -> AppState {
        var state = AppState.sample(size: Size(width: 100, height: 30))
        state.open(target.path)
        state.press("Enter", "Backspace")
        state.type("2")
        state.press("Enter")
        return state
    }

    /// The sample's workspace with a changed list endpoint.
    private func workspace(_ change: (inout Endpoint) -> Void) -> Workspace {
        var workspace = Workspace.sample
        change(&workspace.services[0].endpoints[2])
        return workspace
    }

    private var unreadable: Workspace {
        var workspace = Workspace.sample
        workspace.services[0].endpoints.remove(at: 2)
        let problem = Diagnostic(SourceLocation(file: "shop/orders/list.yaml", line: 3, column: 7), "a bracket is not closed")
        workspace.problems = [problem]
        workspace.unreadable = [UnreadableFile(.endpoint(target), problem)]
        return workspace
    }

    private var gone: Workspace {
        var workspace = Workspace.sample
        workspace.services[0].endpoints.remove(at: 2)
        return workspace
    }

    // MARK: Merging

    @Test func `changes that do not overlap are merged, and saving writes only local changes`() throws {
        var state = edited()
        let theirs = workspace {
            $0.name = "All orders"
            $0.query[1].value = "50"
        }
        _ = state.update(.workspaceLoaded(theirs))
        #expect(state.openEndpoint?.name == "All orders")
        #expect(state.openEndpoint?.query == [Parameter("page", "2"), Parameter("size", "50", isEnabled: false)])
        #expect(state.screen.contains("merged"))
        guard case .save(_, let saved, let original) = state.press("^S").first else {
            Issue.record("nothing was saved")
            return
        }
        #expect(original == theirs.endpoint(target))
        #expect(saved.query.map(\.value) == ["2", "50"])
    }

    @Test func `after a merge u undoes local changes and keeps those of the file`() {
        var state = edited()
        _ = state.update(.workspaceLoaded(workspace { $0.name = "All orders" }))
        // Undoes typing, then the deletion before it.
        state.press("u", "u")
        #expect(state.openEndpoint?.query.first?.value == "1")
        #expect(state.openEndpoint?.name == "All orders")
        #expect(state.drafts[target]?.isEdited == false)
    }

    @Test func `after a conflict, a second Ctrl-S displays a question and writes nothing`() {
        var state = edited()
        _ = state.update(.workspaceLoaded(workspace { $0.query[0].value = "9" }))
        #expect(state.openEndpoint?.query.first?.value == "2")
        #expect(state.screen.contains("changed on disk"))
        for _ in 1...2 {
            #expect(state.press("^S").isEmpty)
            #expect(state.screen.contains("Overwrite") && state.screen.contains("Reload") && state.screen.contains("Changed here and there: query."))
            #expect(state.press("o").isEmpty && state.popup != nil, "a letter of a text that is being typed overwrites nothing")
            state.press("Esc")
        }
    }

    @Test func `overwriting saves local changes and keeps the other changes of the file`() throws {
        var state = edited()
        _ = state.update(
            .workspaceLoaded(
                workspace {
                    $0.query[0].value = "9"
                    $0.name = "All orders"
                }))
        state.press("^S", "↓")
        guard case .save(let id, let saved, let original?) = state.press("Enter").first else {
            Issue.record("nothing was saved")
            return
        }
        #expect(original.query[0].value == "9")
        #expect(saved.query[0].value == "2")
        #expect(saved.name == "All orders")
        _ = state.update(.saved(id, .saved(saved)))
        #expect(state.drafts[target]?.isEdited == false)
    }

    @Test func `reloading uses the file, and u restores local changes`() {
        var state = edited()
        _ = state.update(.workspaceLoaded(workspace { $0.query[0].value = "9" }))
        state.press("^S", "↓", "↓", "Enter")
        #expect(state.openEndpoint?.query[0].value == "9")
        #expect(state.drafts[target]?.isEdited == false)
        state.press("u")
        #expect(state.openEndpoint?.query[0].value == "2")
    }

    @Test func `the differences are those of the current file, and closing them returns to the question`() throws {
        var state = edited()
        _ = state.update(.workspaceLoaded(workspace { $0.query[0].value = "9" }))
        state.press("^S")
        guard case .compareWithFile(let id, let endpoint, let original) = state.press("Enter").first else {
            Issue.record("nothing is compared")
            return
        }
        #expect(endpoint.query[0].value == "2")
        #expect(original.query[0].value == "9")
        let lines = BodyComparison(.text, isDifferent: true, lines: [.init(.removed, "query: {page: 9}"), .init(.added, "query: {page: 2}")])
        _ = state.update(.comparedWithFile(id, .lines(lines)))
        #expect(state.screen.contains("− query: {page: 9}") && state.screen.contains("+ query: {page: 2}"))
        state.press("Esc")
        #expect(state.screen.contains("Overwrite"))
    }

    @Test func `a save that detects a changed file displays the question, once the file is read`() throws {
        var state = edited()
        guard case .save(let id, _, _) = state.press("^S").first else {
            Issue.record("nothing was saved")
            return
        }
        _ = state.update(.workspaceLoaded(workspace { $0.query[0].value = "9" }))
        _ = state.update(.saved(id, .changedOnDisk("list.yaml: the file was changed")))
        #expect(state.screen.contains("Overwrite"))
        #expect(state.drafts[target]?.isEdited == true)
    }

    @Test func `the additional content of the file is displayed after saving`() {
        var state = edited()
        guard case .save(let id, var saved, _) = state.press("^S").first else {
            Issue.record("nothing was saved")
            return
        }
        saved.name = "All orders"
        _ = state.update(.saved(id, .saved(saved)))
        #expect(state.openEndpoint?.name == "All orders")
        #expect(state.drafts[target]?.isEdited == false)
    }

    @Test func `a field that is being edited keeps its row, and the file is merged afterwards`() {
        var state = AppState.sample()
        state.open(target.path)
        state.press("Enter")
        state.type("7")
        _ = state.update(.workspaceLoaded(workspace { $0.query.insert(Parameter("first", "x"), at: 0) }))
        state.type("8")
        state.press("Enter")
        #expect(state.openEndpoint?.query == [Parameter("first", "x"), Parameter("page", "178"), Parameter("size", "20", isEnabled: false)])
    }

    @Test func `a restored file ends the conflict`() {
        var state = edited()
        _ = state.update(.workspaceLoaded(workspace { $0.query[0].value = "9" }))
        _ = state.update(.workspaceLoaded(.sample))
        #expect(state.press("^S").count == 1)
    }

    @Test func `a draft of an earlier program is merged with the current file`() {
        let before = edited().unsavedDrafts
        var state = AppState(
            workspace: workspace { $0.name = "All orders" }, environment: nil, size: Size(width: 80, height: 24), unsaved: before)
        state.open(target.path)
        #expect(state.openEndpoint?.name == "All orders")
        #expect(state.openEndpoint?.query.first?.value == "2")
        let conflicting = AppState(
            workspace: workspace { $0.query[0].value = "9" }, environment: nil, size: Size(width: 80, height: 24), unsaved: before)
        #expect(conflicting.drafts[target]?.onDisk?.query[0].value == "9")
        #expect(conflicting.unsavedDrafts == before)
    }

    @Test func `drafts with an unreadable or missing file are kept`() {
        let before = edited().unsavedDrafts
        for workspace in [unreadable, gone] {
            let state = AppState(workspace: workspace, environment: nil, size: Size(width: 80, height: 24), unsaved: before)
            #expect(state.unsavedDrafts == before)
            #expect(state.screen.contains("List orders •"))
        }
    }

    @Test func `drafts without a known original are kept where their file cannot be read or is gone`() {
        let before = edited().unsavedDrafts.map { EndpointDraft(original: nil, edited: $0.edited) }
        for workspace in [unreadable, gone] {
            let state = AppState(workspace: workspace, environment: nil, size: Size(width: 80, height: 24), unsaved: before)
            #expect(state.unsavedDrafts.map(\.edited) == before.map(\.edited))
            #expect(state.screen.contains("List orders •"))
        }
    }

    // MARK: Removed files

    @Test func `an endpoint with a removed file keeps its row while it has changes, and Ctrl-S writes it again`() {
        var state = edited()
        _ = state.update(.workspaceLoaded(gone))
        #expect(state.services.rows.contains { $0.kind == .endpoint(target) && $0.isUnreadable })
        #expect(state.openEndpoint?.query.first?.value == "2")
        guard case .save(_, let endpoint, nil) = state.press("^S").first else {
            Issue.record("nothing was saved")
            return
        }
        #expect(endpoint.query.first?.value == "2")
    }

    @Test func `an endpoint without changes is removed with its file`() {
        var state = AppState.sample()
        state.open(target.path)
        _ = state.update(.workspaceLoaded(gone))
        #expect(!state.services.rows.contains { $0.kind == .endpoint(target) })
    }

    // MARK: Invalid files

    @Test func `an endpoint with an invalid file keeps its row, and Request displays the error with its location`() {
        var state = AppState.sample(size: Size(width: 100, height: 30))
        state.open(target.path)
        _ = state.update(.workspaceLoaded(unreadable))
        #expect(state.services.rows.contains { $0.kind == .endpoint(target) && $0.isUnreadable })
        #expect(state.openTarget == target)
        #expect(state.screen.contains("shop/orders/list.yaml:3:7"))
        #expect(state.screen.contains("a bracket is not closed"))
        #expect(state.press("^R").isEmpty)
        #expect(state.toast?.text.contains("shop/orders/list.yaml:3:7 cannot be used") == true)
        _ = state.update(.workspaceLoaded(.sample))
        #expect(state.screen.contains("[x] page"))
    }

    @Test(arguments: [Pane.services, .request]) func `Ctrl-O opens an invalid file at the error`(pane: Pane) {
        var state = AppState.sample()
        state.open(target.path)
        state.focus(pane)
        _ = state.update(.workspaceLoaded(unreadable))
        guard case .openFile(_, let place) = state.press("^O").first else {
            Issue.record("no file was opened")
            return
        }
        #expect(place == SourceLocation(file: "shop/orders/list.yaml", line: 3, column: 7))
    }

    @Test func `an unreadable file keeps the unsaved changes, and displays the error above them`() {
        var state = edited()
        _ = state.update(.workspaceLoaded(unreadable))
        #expect(state.openEndpoint?.query.first?.value == "2")
        #expect(state.screen.contains("✗ shop/orders/list.yaml:3:7"))
        _ = state.update(.workspaceLoaded(.sample))
        #expect(state.openEndpoint?.query.first?.value == "2")
        #expect(state.drafts[target]?.isEdited == true)
    }

    @Test func `services and runs with invalid files are marked`() {
        var workspace = Workspace.sample
        workspace.runs = []
        let service = Diagnostic(SourceLocation(file: "shop/service.yaml", line: 2, column: 1), "no service")
        let run = Diagnostic(SourceLocation(file: "runs/checkout.yaml", line: 1, column: 1), "no run")
        workspace.problems = [run, service]
        workspace.unreadable = [UnreadableFile(.run("checkout"), run), UnreadableFile(.service("shop"), service)]
        var state = AppState.sample()
        _ = state.update(.workspaceLoaded(workspace))
        let marked = state.services.rows.filter(\.isUnreadable).map(\.kind)
        #expect(marked == [.service("shop"), .run("checkout")])
        state.focus(.services)
        ServicesFeature.select(.run("checkout"), &state)
        #expect(state.press("^R").isEmpty)
        guard case .openFile(_, let place) = state.press("^O").first else {
            Issue.record("no file was opened")
            return
        }
        #expect(place.file == "runs/checkout.yaml")
    }

    @Test func `the list of problems has a key, and Enter opens the file and selects its row`() {
        var state = AppState.sample()
        state.open("shop/big")
        _ = state.update(.workspaceLoaded(unreadable))
        state.press("!")
        #expect(state.screen.contains("Problems") && state.screen.contains("a bracket is not closed"))
        guard case .openFile(_, let place) = state.press("Enter").first else {
            Issue.record("no file was opened")
            return
        }
        #expect(place.line == 3)
        #expect(state.services.selected == .endpoint(target))
    }

    @Test func `settings stay in effect while their file is invalid`() {
        var broken = Workspace(name: "Demo", folder: "/demo")
        var shop = Service(folder: "shop", name: "shop")
        shop.endpoints = Workspace.sample.services[0].endpoints
        broken.services = [shop]
        let problem = Diagnostic(SourceLocation(file: "workspace.yaml"), "not YAML")
        broken.unreadable = [
            UnreadableFile(.service("shop"), Diagnostic(SourceLocation(file: "shop/service.yaml"), "not YAML")), UnreadableFile(.workspace, problem),
        ]
        let kept = broken.keepingSettings(of: .sample)
        #expect(kept.environments == Workspace.sample.environments)
        #expect(kept.services == Workspace.sample.services)
        #expect(kept.unreadable == broken.unreadable)
    }

    // MARK: A field that is open and in which nothing was typed

    /// The sample with the field of a header open, in which nothing was typed.
    private func openedHeader() -> (state: AppState, inserted: Workspace) {
        var workspace = Workspace.sample
        workspace.services[0].endpoints[2].headers = [Parameter("X-Api-Key", "{{key}}")]
        var state = AppState(workspace: workspace, environment: nil, size: Size(width: 100, height: 30))
        state.open(target.path)
        state.press("]", "Enter")
        workspace.services[0].endpoints[2].headers.insert(Parameter("X-Public", "p"), at: 0)
        return (state, workspace)
    }

    @Test func `what is typed after another program inserted a row goes into the row that is shown`() {
        var (state, theirs) = openedHeader()
        _ = state.update(.workspaceLoaded(theirs))
        state.type("Z")
        #expect(state.openEndpoint?.headers == [Parameter("X-Api-Key", "{{key}}Z")])
        state.press("Enter")
        #expect(state.openEndpoint?.headers == [Parameter("X-Public", "p"), Parameter("X-Api-Key", "{{key}}Z")])
        #expect(RequestFeature.selectedRow(state)?.name == "X-Api-Key")
    }

    @Test func `a field in which nothing was typed is left without a change, and shows what the file has now`() {
        var (state, theirs) = openedHeader()
        _ = state.update(.workspaceLoaded(theirs))
        state.press("Enter")
        #expect(state.openEndpoint?.headers.map(\.name) == ["X-Public", "X-Api-Key"] && state.drafts[target]?.isEdited == false)
    }

    @Test func `Tab goes to the next row of the merged list`() {
        var (state, theirs) = openedHeader()
        theirs.services[0].endpoints[2].headers.append(Parameter("X-Last", "l"))
        _ = state.update(.workspaceLoaded(theirs))
        state.press("Tab", "Tab")
        state.type("Y")
        #expect(state.openEndpoint?.headers.map(\.name) == ["X-Public", "X-Api-Key", "X-LastY"], "\(state.screen)")
    }

    @Test func `a row that another program removed keeps what was typed, and saving asks`() {
        var (state, theirs) = openedHeader()
        theirs.services[0].endpoints[2].headers = []
        _ = state.update(.workspaceLoaded(theirs))
        state.type("Z")
        state.press("Enter")
        #expect(state.openEndpoint?.headers.map(\.value) == ["{{key}}Z"] && state.screen.contains("changed on disk"))
        #expect(state.press("^S").isEmpty && state.screen.contains("Overwrite"))
    }

    @Test func `what is sent while a URL or a body is open is what is shown`() throws {
        for key in ["Enter", "i"] {
            var workspace = Workspace.sample
            workspace.services[0].endpoints[2].body = .text("ann", contentType: nil)
            var state = AppState(workspace: workspace, environment: nil, size: Size(width: 100, height: 30))
            state.open(target.path)
            if key == "Enter" {
                state.requestState.tab = .body
                state.requestState.row = 2
                state.press("Enter")
                #expect(state.requestState.editing?.area != nil)
            } else {
                RequestFeature.editURL(&state)
            }
            workspace.services[0].endpoints[2].body = .text("DISK", contentType: nil)
            workspace.services[0].endpoints[2].path = "/diskpath"
            _ = state.update(.workspaceLoaded(workspace))
            #expect(state.openEndpoint?.body == .text("ann", contentType: nil) && state.openEndpoint?.path == "/orders")
            let sent = state.press("^R").compactMap { effect -> Endpoint? in if case .send(_, let endpoint, _) = effect { endpoint } else { nil } }
            #expect(sent.first == state.openEndpoint)
        }
    }

    @Test func `a text that was opened before another program changed it is saved only after the question`() {
        var workspace = Workspace.sample
        workspace.services[0].endpoints[2].body = .text("ann", contentType: nil)
        var state = AppState(workspace: workspace, environment: nil, size: Size(width: 100, height: 30))
        state.open(target.path)
        state.requestState.tab = .body
        state.requestState.row = 2
        state.press("Enter")
        workspace.services[0].endpoints[2].body = .text("DISK", contentType: nil)
        _ = state.update(.workspaceLoaded(workspace))
        state.type("x")
        #expect(state.press("^S").isEmpty && state.screen.contains("Changed here and there: body."), "\(state.screen)")
    }

    @Test func `a request that is not in a file yet stays new when its field is left`() {
        var state = AppState.sample(size: Size(width: 120, height: 40))
        state.open(target.path)
        _ = state.update(.input(.paste("http://127.0.0.1:8080/teapots/7")))
        RequestFeature.editURL(&state)
        state.press("Esc")
        guard case .save(_, _, let original)? = state.press("^S").first else {
            Issue.record("nothing was saved: \(state.screen)")
            return
        }
        #expect(original == nil)
    }
}
