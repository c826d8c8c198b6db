import SortieHTTP
import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

@Suite struct EditingTests {
    @Test func `a URL that cannot be sent has the reason beside it`() {
        var state = AppState.sample(size: Size(width: 80, height: 24))
        state.open("shop/orders/list")
        state.change { ($0.path, $0.query) = ("http:/localhost/x", []) }
        #expect(state.screen.contains("http:/localhost/x  “//” must follow"), "\(state.screen)")
    }

    private func opened(_ target: String = "shop/orders/list") -> AppState {
        var state = AppState.sample()
        state.open(target)
        return state
    }

    @Test func `Space disables and enables a row`() {
        var state = opened()
        state.press("Space")
        #expect(state.openEndpoint?.query.first?.isEnabled == false)
        #expect(state.drafts["shop/orders/list"]?.isEdited == true)
        state.press("Space")
        #expect(state.drafts["shop/orders/list"]?.isEdited == false)
    }

    @Test func `a row is added with name and value`() {
        var state = opened()
        state.press("a")
        state.type("sort")
        state.press("Tab")
        state.type("name")
        state.press("Enter")
        #expect(state.openEndpoint?.query[1] == Parameter("sort", "name"))
        #expect(RequestFeature.editing(state) == nil)
    }

    @Test func `Tab after the last field of the last row begins a new row, except after an empty one`() {
        var state = opened("shop/orders/create")
        state.change { $0.headers = [] }
        state.requestState.tab = .headers
        state.press("a")
        state.type("X-A")
        state.press("Tab")
        state.type("1")
        state.press("Tab", "Tab")
        state.type("X-B")
        state.press("Tab", "Tab", "Tab", "Tab", "Tab", "Tab")
        #expect(state.openEndpoint?.headers == [Parameter("X-A", "1"), Parameter("X-B", "")])
        #expect(state.typedText == nil)
    }

    @Test func `an empty new row is removed`() {
        var state = opened()
        state.press("a", "Esc")
        #expect(state.openEndpoint?.query.count == 2)
        #expect(state.drafts["shop/orders/list"]?.isEdited == false)
    }

    @Test func `u restores a deleted row`() {
        var state = opened()
        state.press("d")
        #expect(state.openEndpoint?.query.map(\.name) == ["size"])
        state.press("u")
        #expect(state.openEndpoint?.query.map(\.name) == ["page", "size"])
    }

    @Test func `Esc leaves the field and keeps the text, u undoes it in one step`() {
        var state = opened()
        state.press("Enter")
        state.type("23")
        state.press("Esc")
        #expect(state.openEndpoint?.query.first?.value == "123")
        state.press("u")
        #expect(state.openEndpoint?.query.first?.value == "1")
    }

    @Test func `changes are kept while another endpoint is open`() {
        var state = opened()
        state.press("Space")
        state.open("shop/big")
        state.open("shop/orders/list")
        #expect(state.openEndpoint?.query.first?.isEnabled == false)
        #expect(state.screen.contains("edited"))
    }

    @Test func `a header field is added on its tab`() {
        var state = opened()
        state.press("]", "a")
        state.type("X-A")
        state.press("Tab")
        state.type("b")
        state.press("Enter")
        #expect(state.openEndpoint?.headers == [Parameter("X-A", "b")])
    }

    @Test func `the path is edited and the line displays the resulting URL`() {
        var state = opened()
        state.press("p", "^U")
        state.type("/other")
        state.press("Enter")
        #expect(state.openEndpoint?.path == "/other")
        #expect(state.screen.contains("http://127.0.0.1:8080/other?page=1"))
    }

    @Test func `the method is chosen from a list`() {
        var state = opened()
        state.press("m", "↓", "Enter")
        #expect(state.openEndpoint?.method == .post)
    }

    @Test func `a custom method is typed`() {
        var state = opened()
        state.press("m", "End", "Enter")
        state.type("PROPFIND")
        state.press("Enter")
        #expect(state.openEndpoint?.method.rawValue == "PROPFIND")
    }

    @Test func `a body is edited in place over several lines`() {
        var state = opened("shop/orders/create")
        #expect(state.requestState.tab == .body)
        state.press("↓", "Enter", "End", "Enter")
        state.type("x")
        state.press("Esc")
        #expect(state.openEndpoint?.body == .json("{\n  x\n  \"item\": 1\n}"))
        state.press("u")
        #expect(state.drafts["shop/orders/create"]?.isEdited == false)
    }

    @Test func `invalid JSON is reported while it is typed`() {
        var state = opened("shop/orders/create")
        #expect(!state.screen.contains("not JSON"))
        state.press("↓", "Enter", "^K")
        #expect(state.openEndpoint?.body.syntaxProblem?.contains("not JSON") == true)
        state.press("Esc")
        #expect(state.screen.contains("not JSON"))
    }

    @Test func `Tab leaves the URL for the first row, and sending ends editing of the URL`() {
        var state = opened("shop/orders/list")
        state.press("p", "Tab")
        state.type("s")
        #expect(state.openEndpoint?.query.first?.name == "pages")
        state.press("Esc", "p", "^R", "a")
        #expect(state.openEndpoint?.query.last?.name == "" && RequestFeature.editing(state) != nil)
    }

    @Test func `a body that is too long for the pane requires the editor`() {
        var workspace = Workspace.sample
        workspace.services[0].endpoints[1].body = .text(String(repeating: "long\n", count: 100_001), contentType: nil)
        var state = AppState(workspace: workspace, environment: nil, size: Size(width: 100, height: 24))
        state.open("shop/orders/create")
        #expect(RequestFeature.rows(state).count == 3)
        #expect(state.screen.contains("100002 lines of text are too many for this pane"))
        state.press("↓", "↓", "Enter")
        #expect(RequestFeature.editing(state) == nil)
    }

    @Test func `Ctrl-O passes the body to the editor and reads it back`() throws {
        var state = opened("shop/orders/create")
        guard case .edit(let id, let text, ".json") = state.press("^O").first else {
            Issue.record("no editor was asked for")
            return
        }
        #expect(text.contains("item"))
        _ = state.update(.edited(id, .text("[]")))
        #expect(state.openEndpoint?.body == .json("[]"))
        _ = state.update(.edited(id, .text("late")))
        #expect(state.openEndpoint?.body == .json("[]"))
    }

    @Test func `the kind of body is chosen, and form fields are rows`() {
        var state = opened("shop/orders/create")
        state.press("Enter", "↓", "↓", "Enter")
        #expect(state.openEndpoint?.body == .form([Parameter("", "")]))
        state.type("user")
        state.press("Tab")
        state.type("me")
        state.press("Enter")
        #expect(state.openEndpoint?.body == .form([Parameter("user", "me")]))
    }

    @Test func `a multipart value that begins with @ is a file`() {
        var endpoint = Endpoint(target: "a/b", name: "b", path: "/")
        endpoint.body = .multipart([.init(name: "photo", value: "")])
        endpoint.setPair(.body, at: 0, .value, to: "@cat.png", folder: "/demo/a", home: "/home/me")
        #expect(endpoint.body == .multipart([.init(name: "photo", value: "/demo/a/cat.png", isFile: true)]))
    }

    @Test func `auth is chosen and its token is typed`() {
        var state = opened()
        state.press("]", "]", "]", "Enter")
        #expect((state.popup as? ListPopup)?.shown.prefix(6).map(\.label) == ["Inherit", "None", "Basic", "Bearer", "API key", "OAuth 2"])
        state.type("bearer")
        state.press("Enter", "↓", "Enter")
        state.type("abc")
        state.press("Enter")
        #expect(state.openEndpoint?.auth == .bearer(token: "abc"))
        #expect(!state.screen.contains("abc"))
    }

    @Test func `an invalid timeout is rejected with the remedy`() {
        var state = opened()
        state.press("[")
        state.requestState.row = OptionRow.allCases.firstIndex(of: .connect) ?? 0
        state.press("Enter", "^U")
        state.type("soon")
        state.press("Enter")
        #expect(RequestFeature.editing(state) != nil)
        #expect(state.toast?.text.contains("10s") == true)
        state.press("^U")
        state.type("500ms")
        state.press("Enter")
        #expect(state.openEndpoint?.timeouts?.connect == .milliseconds(500))
    }

    @Test func `saving sends the change and the state before it, once`() throws {
        var state = opened()
        state.press("Space")
        let original = try #require(Workspace.sample.endpoint("shop/orders/list"))
        guard case .save(let id, let saved, let before) = state.press("^S").first else {
            Issue.record("nothing was saved")
            return
        }
        #expect(before == original)
        #expect(saved.query.first?.isEnabled == false)
        _ = state.update(.saved(id, .saved(saved)))
        #expect(state.drafts["shop/orders/list"]?.isEdited == false)
        #expect(state.workspace.endpoint("shop/orders/list") == saved)
        #expect(state.press("^S").isEmpty)
    }

    @Test func `the message after saving names the file of a long body, which Ctrl-O on the Body tab edits`() throws {
        var state = AppState.sample(size: Size(width: 200, height: 40))
        state.open("shop/orders/create")
        state.change { $0.body = .json("[" + String(repeating: "1, ", count: 2000) + "1]") }
        let saves = state.press("^S").compactMap { effect -> (JobID, Endpoint)? in
            if case .save(let id, let endpoint, _) = effect { (id, endpoint) } else { nil }
        }
        var (id, saved) = try #require(saves.first)
        saved.location = SourceLocation(file: "shop/orders/create.yaml")
        saved.body = .file(path: "/demo/shop/orders/create.body.json", contentType: nil)
        _ = state.update(.saved(id, .saved(saved)))
        #expect(state.toast?.text.contains("the long body is in create.body.json beside it") == true)
        state.focus(.request)
        state.requestState.tab = .body
        let places = state.press("^O").compactMap { effect -> String? in
            if case .openFile(_, let place) = effect { place.file } else { nil }
        }
        #expect(places == ["/demo/shop/orders/create.body.json"])
    }

    @Test func `a failed save keeps the changes unsaved`() {
        var state = opened()
        state.press("Space")
        guard case .save(let id, _, _) = state.press("^S").first else {
            Issue.record("nothing was saved")
            return
        }
        _ = state.update(.saved(id, .failed("the disk is full")))
        #expect(state.drafts["shop/orders/list"]?.isEdited == true)
        #expect(state.screen.contains("the disk is full"))
    }

    @Test func `reloading the workspace keeps unsaved changes`() {
        var state = opened()
        state.press("Space")
        var changed = Workspace.sample
        changed.services[0].endpoints[2].name = "All orders"
        _ = state.update(.workspaceLoaded(changed))
        #expect(state.openEndpoint?.query.first?.isEnabled == false)
        #expect(state.openEndpoint?.name == "All orders")
        #expect(state.drafts["shop/orders/list"]?.original.name == "All orders")
        #expect(state.log.entries.last?.text.contains("changed on disk") == true)
    }

    @Test func `unsaved changes of an earlier session are restored and can be undone`() {
        var before = opened()
        before.press("Space")
        var state = AppState(
            workspace: .sample, environment: nil, size: Size(width: 80, height: 24), unsaved: before.unsavedDrafts)
        state.open("shop/orders/list")
        #expect(state.openEndpoint?.query.first?.isEnabled == false)
        state.press("u")
        #expect(state.unsavedDrafts.isEmpty)
    }

    @Test func `pasted text is inserted into the field, line breaks as blanks`() {
        var state = opened()
        state.press("Enter", "^U")
        _ = state.update(.input(.paste("a\nb")))
        #expect(state.openEndpoint?.query.first?.value == "a b")
    }

    @Test func `a field of a form and a key keep the line breaks of a pasted text`() {
        var form = opened()
        form.change { $0.body = .form([Parameter("note", "l1\nl2")]) }
        form.requestState.tab = .body
        form.requestState.row = 1
        form.press("Enter")
        form.type("Z")
        #expect(form.openEndpoint?.body == .form([Parameter("note", "l1\nl2Z")]))
        _ = form.update(.input(.paste("\nl3")))
        #expect(form.openEndpoint?.body == .form([Parameter("note", "l1\nl2Z\nl3")]))

        var auth = opened()
        auth.change { $0.auth = .bearer(token: "") }
        auth.requestState.tab = .auth
        auth.requestState.row = 1
        auth.press("Enter")
        _ = auth.update(.input(.paste("-----BEGIN\nMIG\n-----END\n")))
        #expect(auth.openEndpoint?.auth == .bearer(token: "-----BEGIN\nMIG\n-----END"))
    }

    @Test func `a value with line breaks is not changed by opening its field`() {
        var state = opened()
        state.change { $0.query[0].value = "q1\nq2\tq3" }
        state.press("Enter")
        state.type("Z")
        #expect(state.openEndpoint?.query[0].value == "q1\nq2\tq3Z")
    }

    @Test func `pasted text outside a field changes nothing`() {
        var state = opened()
        let before = state.openEndpoint
        _ = state.update(.input(.paste("dddd")))
        #expect(state.openEndpoint == before)
    }
}
