import SortieHTTP
import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

@Suite struct ItemsTests {
    /// Fills the field in which the cursor is.
    private func replace(_ text: String, _ state: inout AppState) {
        state.press("^U")
        state.type(text)
    }

    private func edit(_ effects: [Effect]) -> (JobID, WorkspaceEdit)? {
        for case .editWorkspace(let id, let edit) in effects { return (id, edit) }
        return nil
    }

    @Test(arguments: [Size(width: 80, height: 24), Size(width: 200, height: 50), Size(width: 40, height: 10)])
    func `the form of a new endpoint is complete, and asks for what it needs`(size: Size) throws {
        var state = AppState.sample(size: size)
        state.press("a")
        #expect(state.screen.contains("Endpoint") && state.screen.contains("Environment"))
        state.press("Enter")
        for label in ["New endpoint", "Service", "File", "Name", "Method", "URL"] { #expect(state.screen.contains(label)) }
        replace("items", &state)
        state.press("Tab", "Tab", "Space", "Tab")
        state.type("/items?q=1")
        let (_, made) = try #require(edit(state.press("Enter")))
        var endpoint = Endpoint(target: "shop/items", name: "items", method: .post, path: "/items")
        endpoint.query = [Parameter("q", "1")]
        #expect(made == .createEndpoint(endpoint, service: nil))
        #expect(state.popup == nil)
    }

    @Test func `in a workspace without services the form begins at the service, and names the row that is empty`() {
        var state = AppState(workspace: Workspace(name: "Empty", folder: "/w"), environment: nil, size: Size(width: 80, height: 24))
        state.press("1", "a", "Enter")
        #expect((state.popup as? Form)?.selected == 0, "\(state.screen)")
        state.press("Enter")
        #expect(state.screen.contains("Service: enter a name"), "\(state.screen)")
        state.type("shop")
        state.press("Enter")
        #expect(state.screen.contains("File: enter a name"), "\(state.screen)")
    }

    @Test func `undoing a change of a service and a saved endpoint names what is undone, not that it was saved`() {
        var entry = ItemsState.Entry(text: "Saved shop/service.yaml", changes: FileChanges())
        var service = Service(folder: "shop", name: "Shop")
        service.location = SourceLocation(file: "shop/service.yaml")
        entry.edit = .changeService(service, from: service)
        #expect(entry.undoneText == "the change of shop/service.yaml")
        entry.edit = .createEndpoint(Endpoint(target: "shop/a", name: "a", path: "/"), service: nil)
        #expect(entry.undoneText == "the creation of shop/a.yaml")
        entry.edit = .delete(.run("checkout"))
        entry.text = "Deleted checkout"
        #expect(entry.undoneText == "Deleted checkout")
    }

    @Test func `a failure shows the form again with what was typed and the reason`() throws {
        var state = AppState.sample()
        state.press("a", "Enter")
        replace("items", &state)
        let (job, _) = try #require(edit(state.press("Enter")))
        _ = state.update(.workspaceEdited(job, .failed("shop: it cannot be written")))
        #expect(state.screen.contains("New endpoint") && state.screen.contains("items") && state.screen.contains("shop: it cannot be written"))
    }

    @Test func `while something else is open, a failure is only a message`() throws {
        var state = AppState.sample()
        state.press("a", "Enter")
        replace("items", &state)
        let (job, _) = try #require(edit(state.press("Enter")))
        state.press("^P")
        _ = state.update(.workspaceEdited(job, .failed("it cannot be written")))
        #expect(state.screen.contains("Commands") && !state.screen.contains("New endpoint"))
        #expect(state.log.entries.contains { $0.text.contains("it cannot be written") })
    }

    @Test func `edits, undo steps and the response follow a moved endpoint`() throws {
        var state = AppState.sample()
        state.open("shop/orders/list")
        let call = state.sendOpen()
        state.answer(call, #"{"kept": 1}"#)
        state.press("Space", "1", "e")
        replace("lists/all", &state)
        let (job, made) = try #require(edit(state.press("Enter")))
        #expect(made == .move(.endpoint("shop/orders/list"), to: "shop/lists/all", label: "List orders"))
        var workspace = Workspace.sample
        let index = try #require(workspace.services[0].endpoints.firstIndex { $0.target == "shop/orders/list" })
        workspace.services[0].endpoints[index].target = "shop/lists/all"
        workspace.services[0].endpoints[index].location = SourceLocation(file: "shop/lists/all.yaml")
        _ = state.update(.workspaceEdited(job, .done(FileChanges(), workspace)))
        #expect(state.openTarget == "shop/lists/all" && state.services.selected == .endpoint("shop/lists/all"))
        #expect(state.drafts["shop/lists/all"]?.isEdited == true && state.drafts["shop/orders/list"] == nil)
        #expect(state.screen.contains("kept"))
        state.press("2", "u")
        #expect(state.drafts["shop/lists/all"]?.isEdited == false && state.openEndpoint?.target == "shop/lists/all")
    }

    @Test func `a second undo waits until the first has ended`() throws {
        var state = AppState.sample()
        let changes = FileChanges([.file("shop/a.yaml", before: nil, after: .init([1]))])
        state.items.append(.init(text: "Created a", changes: changes))
        let (job, made) = try #require(edit(state.press("u")))
        #expect(made == .apply(changes.reverted))
        #expect(edit(state.press("u")) == nil)
        _ = state.update(.workspaceEdited(job, .done(changes.reverted, .sample)))
        #expect(state.items.undo.isEmpty)
        state.press("u")
        #expect(state.toast?.text.contains("No files were created") == true)
    }

    @Test func `a change that cannot be undone stays on the list`() throws {
        var state = AppState.sample()
        state.items.append(.init(text: "Created a", changes: FileChanges()))
        let (job, _) = try #require(edit(state.press("u")))
        _ = state.update(.workspaceEdited(job, .failed("the file was changed since")))
        #expect(state.items.undo.count == 1)
        #expect(state.toast?.text.contains("the file was changed since") == true)
    }

    @Test func `a command that another program added to the files is not permitted by creating an endpoint`() throws {
        var state = AppState.sample()
        state.press("a", "Enter")
        replace("items", &state)
        state.press("Tab", "Tab", "Tab")
        state.type("/items?home={{$env.HOME}}&pw={{pw}}")
        let (job, made) = try #require(edit(state.press("Enter")))
        guard case .createEndpoint(let endpoint, nil) = made else {
            Issue.record("\(made)")
            return
        }
        // `git pull` added the secret before the workspace was read again.
        var workspace = Workspace.sample
        workspace.services[0].endpoints.append(endpoint)
        workspace.secrets = ["pw": .command("rm -r x")]
        let effects = state.update(.workspaceEdited(job, .done(FileChanges(), workspace)))
        #expect(effects.contains { if case .permit(let all, true) = $0 { all.contains(Capability(.environment, "HOME")) } else { false } })
        #expect(!state.permission.permitted.contains(Capability(.command, "rm -r x")))
    }

    @Test func `a failure does not claim that nothing was changed`() throws {
        var state = AppState.sample()
        state.items.append(.init(text: "Created a", changes: FileChanges()))
        let (job, _) = try #require(edit(state.press("u")))
        _ = state.update(.workspaceEdited(job, .failed("a: it cannot be removed; an earlier step could not be reverted: b")))
        #expect(state.toast?.text.hasPrefix("The change failed: a:") == true)
    }

    @Test func `a renaming without another name changes nothing`() {
        var state = AppState.sample()
        state.open("shop/orders/list")
        state.focus(.services)
        state.press("e")
        #expect(edit(state.press("Enter")) == nil)
        #expect(state.popup == nil && state.toast?.text == "Nothing was changed")
    }

    @Test func `the name of an environment has no slash`() {
        var state = AppState.sample()
        _ = state.perform(.newEnvironment)
        state.type("a/b")
        #expect(edit(state.press("Enter")) == nil)
        #expect(state.screen.contains("has no “/”"))
    }

    @Test func `a new service is selected`() throws {
        var state = AppState.sample()
        _ = state.perform(.newService)
        state.type("maps")
        let (job, _) = try #require(edit(state.press("Enter")))
        var workspace = Workspace.sample
        workspace.services.append(Service(folder: "maps", name: "maps"))
        _ = state.update(.workspaceEdited(job, .done(FileChanges(), workspace)))
        #expect(state.services.selected == .service("maps"))
    }

    @Test func `quitting names the deleted files that can no longer be restored`() {
        var state = AppState.sample()
        let changes = FileChanges([.file("shop/a.yaml", before: .init([1]), after: nil)])
        state.items.append(.init(text: "Moved a", changes: changes))
        #expect(state.items.deletedFiles == 0)
        state.items.append(.init(text: "Deleted a", changes: changes, isDeletion: true))
        #expect(state.press("^Q").isEmpty)
        #expect(state.screen.contains("1 deleted file can be restored only until Sortie quits"))
    }

    @Test func `a deleted service takes the names of its runs along in the question`() {
        var state = AppState.sample()
        var workspace = Workspace.sample
        workspace.runs = [.init(name: "checkout", kind: .chain, steps: [.init(target: "shop/big", name: "big")])]
        _ = state.update(.workspaceLoaded(workspace))
        state.press("g", "d")
        #expect(state.screen.contains("Delete the service shop?") && state.screen.contains("3 endpoints") && state.screen.contains("checkout"))
        #expect(edit(state.press("Enter")) == nil)
        state.press("d", "↓")
        #expect(edit(state.press("Enter"))?.1 == .delete(.service("shop")))
    }

    @Test func `deleting an endpoint that others extend asks first`() throws {
        var state = AppState.sample()
        var workspace = Workspace.sample
        workspace.runs = []
        let index = try #require(workspace.services[0].endpoints.firstIndex { $0.target == "shop/big" })
        workspace.services[0].endpoints[index].extends = "shop/orders/list"
        _ = state.update(.workspaceLoaded(workspace))
        let effects = ItemsFeature.delete(.endpoint("shop/orders/list"), &state)
        #expect(edit(effects) == nil)
        #expect(state.screen.contains("shop/big extends it"), "\(state.screen)")
    }
}
