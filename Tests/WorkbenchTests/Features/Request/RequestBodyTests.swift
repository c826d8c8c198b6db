import SortieBase
import SortieHTTP
import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Tests all kinds of body and their files.
@Suite struct RequestBodyTests {
    private func opened(_ body: BodyTemplate, size: Size = Size(width: 120, height: 40)) -> AppState {
        var workspace = Workspace.sample
        workspace.services[0].endpoints[1].body = body
        workspace.services[0].endpoints[1].location = SourceLocation(file: "shop/orders/create.yaml")
        var state = AppState(workspace: workspace, environment: nil, size: size)
        state.open("shop/orders/create")
        return state
    }

    private func choose(_ kind: BodyChoice, in state: inout AppState) {
        state.stopEditing()
        state.requestState.row = 0
        state.press("Enter", "Home")
        for _ in 0..<(BodyChoice.allCases.firstIndex(of: kind) ?? 0) { state.press("↓") }
        state.press("Enter")
    }

    @Test func `another kind of body keeps the content of the previous one`() {
        var state = opened(.json(#"{"a": 1}"#))
        choose(.form, in: &state)
        state.type("x")
        state.press("Enter")
        choose(.file, in: &state)
        state.press("Esc")
        choose(.json, in: &state)
        #expect(state.openEndpoint?.body == .json(#"{"a": 1}"#))
        choose(.form, in: &state)
        #expect(state.openEndpoint?.body == .form([Parameter("x", "")]))
    }

    @Test func `invalid JSON is reported with line and column while it is typed, and the request is left to the sender, which refuses it`() {
        var state = opened(.json("{\n  \"a\": 1,\n}"))
        #expect(state.screen.contains("3:1: not JSON"))
        #expect(state.press("^R").contains { if case .send = $0 { true } else { false } })
        #expect(state.toast?.text.contains("Sent") != true)
    }

    @Test func `JSON is formatted with its templates`() {
        var state = opened(.json(#"{"id":{{$uuid}},"n":[1,{"to":"{{name}}"}]}"#))
        state.press("=")
        let pretty = """
            {
              "id": {{$uuid}},
              "n": [
                1,
                {
                  "to": "{{name}}"
                }
              ]
            }
            """
        #expect(state.openEndpoint?.body == .json(pretty))
        state.press("u")
        #expect(state.openEndpoint?.body == .json(#"{"id":{{$uuid}},"n":[1,{"to":"{{name}}"}]}"#))
    }

    @Test(arguments: [#"{"a": {{x}}}"#, "{{whole}}", #"["{{a}}{{b}}"]"#, #"{"{{key}}": 1}"#])
    func `a template counts as a value`(text: String) {
        #expect(BodyTemplate.json(text).syntaxProblem == nil)
    }

    @Test func `a part has a value or a file, a file name and a type`() {
        var state = opened(.multipart([]))
        state.press("a")
        state.type("photo")
        state.press("Tab")
        state.type("@cat.png")
        state.press("Tab")
        state.type("Cat \"1\".png")
        state.press("Tab")
        state.type("image/x")
        state.press("Enter")
        let part = BodyTemplate.Part(
            name: "photo", value: "/demo/shop/orders/cat.png", isFile: true, fileName: "Cat \"1\".png", contentType: "image/x")
        #expect(state.openEndpoint?.body == .multipart([part]))
        #expect(state.screen.contains("[x] photo   @cat.png  as Cat \"1\".png · image/x"))
    }

    @Test func `S4.16 the type that follows from a file name is displayed`() {
        let state = opened(
            .multipart([
                .init(name: "a", value: "/demo/shop/orders/cat.png", isFile: true), .init(name: "b", value: "1,2", fileName: "b.csv"),
                .init(name: "c", value: "plain"), .init(name: "d", value: "{{file}}", isFile: true),
            ]))
        #expect(state.screen.contains("@cat.png  image/png") && state.screen.contains("1,2  as b.csv · text/csv"), "\(state.screen)")
        #expect(!state.screen.contains("octet-stream"))
    }

    @Test func `a literal at sign is written twice`() {
        var endpoint = Endpoint(target: "a/b", name: "b", path: "/")
        endpoint.body = .multipart([.init(name: "mail", value: "")])
        endpoint.setPair(.body, at: 0, .value, to: "@@home", folder: "/", home: "/")
        #expect(endpoint.body == .multipart([.init(name: "mail", value: "@home")]))
    }

    @Test func `a file is examined, and its size or the problem is displayed`() {
        var state = opened(.multipart([.init(name: "a", value: "/demo/a.bin", isFile: true), .init(name: "b", value: "/x/b", isFile: true)]))
        let effects = state.press("↓")
        #expect(effects == [.inspectFiles(["/demo/a.bin", "/x/b"])])
        _ = state.update(.filesInspected(["/demo/a.bin": .file(bytes: 1_200), "/x/b": .unusable("no such file or directory")]))
        #expect(state.screen.contains("@../../a.bin  application/octet-stream · 1.2 kB"))
        #expect(state.screen.contains("@/x/b  no such file or directory"))
        #expect(state.press("↓").isEmpty)
    }

    @Test func `a missing file of the body is an immediate warning`() {
        var state = opened(.file(path: "/demo/shop/orders/x.bin", contentType: nil))
        #expect(state.press("↓") == [.inspectFiles(["/demo/shop/orders/x.bin"], readingText: "/demo/shop/orders/x.bin")])
        _ = state.update(.filesInspected(["/demo/shop/orders/x.bin": .unusable("no such file or directory")]))
        #expect(state.screen.contains("x.bin  no such file or directory"))
        #expect(state.screen.contains("application/octet-stream, by its name"))
    }

    @Test func `a file that is not edited here says why`() {
        var state = opened(.file(path: "/demo/shop/orders/x.bin", contentType: nil))
        state.press("↓")
        _ = state.update(.filesInspected(["/demo/shop/orders/x.bin": .file(bytes: 35, notEdited: "not UTF-8 text")]))
        #expect(state.screen.contains("x.bin  35 B · not UTF-8 text, ^O edits it"), "\(state.screen)")
    }

    // MARK: The text of a file

    private static let path = "/demo/shop/orders/create.body.json"

    /// The Body tab of an endpoint whose body is a file with this text.
    private func opened(file text: String) -> AppState {
        var state = opened(.file(path: Self.path, contentType: nil))
        state.requestState.tab = .body
        _ = state.update(.filesInspected([Self.path: .file(bytes: Int64(text.utf8.count), text: text)]))
        return state
    }

    /// Types a text at the start of the first line of the file.
    private func type(_ text: String, into state: inout AppState) {
        state.requestState.row = 3
        state.press("Enter")
        state.type(text)
    }

    private func saved(_ state: inout AppState) throws -> (JobID, Endpoint) {
        for case .save(let id, let endpoint, _) in state.press("^S") { return (id, endpoint) }
        throw NothingSaved()
    }

    private struct NothingSaved: Error {}

    @Test func `the text of the body's file is displayed and edited in place, and undone`() {
        var state = opened(file: "{\n  \"a\": {{raw}}\n}")
        #expect(state.screen.contains("\"a\": {{raw}}") && state.screen.contains("edited here"), "\(state.screen)")
        type("[", into: &state)
        #expect(state.openEndpoint?.editedBodyFile?.text == "[{\n  \"a\": {{raw}}\n}")
        #expect(state.openEndpoint?.sentBody == .text("[{\n  \"a\": {{$braces}}raw}}\n}", contentType: "application/json"))
        state.press("Esc", "u")
        #expect(state.openEndpoint?.bodyFileEdit == nil && state.drafts["shop/orders/create"]?.isEdited == false)
    }

    @Test func `saving sends the edited text, after which undoing it is a change again`() throws {
        var state = opened(file: "old")
        type("very ", into: &state)
        let (id, endpoint) = try saved(&state)
        #expect(endpoint.editedBodyFile == BodyFileEdit(path: Self.path, original: "old", text: "very old"))
        var onDisk = endpoint
        onDisk.bodyFileEdit = nil
        _ = state.update(.saved(id, .saved(onDisk)))
        // The endpoint's file stays as it is.
        #expect(state.toast?.text == "Saved to create.body.json")
        #expect(state.drafts["shop/orders/create"]?.isEdited == false && state.screen.contains("very old"))
        state.type("!")
        #expect(state.openEndpoint?.editedBodyFile == BodyFileEdit(path: Self.path, original: "very old", text: "very !old"))
        state.press("Esc", "u", "u", "u", "u")
        #expect(state.openEndpoint?.editedBodyFile == BodyFileEdit(path: Self.path, original: "very old", text: "old"))
    }

    @Test func `saving says that the credentials cannot be used without a token`() throws {
        var state = AppState.sample(size: Size(width: 120, height: 40))
        state.open("shop/orders/create")
        state.change { $0.auth = .bearer(token: "") }
        func save() throws {
            let (job, sent) = try #require(
                state.press("^S").compactMap { effect -> (JobID, Endpoint)? in
                    if case .save(let job, let sent, _) = effect { (job, sent) } else { nil }
                }.first)
            _ = state.update(.saved(job, .saved(sent)))
        }
        try save()
        #expect(state.toast?.level == .warning && state.toast?.text.hasSuffix("but auth cannot be used: the token is empty") == true)
        state.change { $0.auth = .bearer(token: "{{token}}") }
        try save()
        #expect(state.toast?.level == .info && state.toast?.text.contains("auth") == false)
    }

    @Test func `a file that another program changed is not overwritten without a question`() throws {
        var state = opened(file: "old")
        type("very ", into: &state)
        let (id, _) = try saved(&state)
        _ = state.update(.saved(id, .bodyFileChanged("the file of the body was changed")))
        _ = state.update(.filesInspected([Self.path: .file(bytes: 5, text: "other")]))
        #expect(state.screen.contains("create.body.json was changed by another program"))
        for case .save(_, let endpoint, _) in state.press("↑", "↑", "Enter") {
            #expect(endpoint.editedBodyFile == BodyFileEdit(path: Self.path, original: "other", text: "very old"))
            return
        }
        Issue.record("nothing was saved")
    }

    @Test func `formatted JSON of 1 MB is edited in place, and a text of too many lines says so`() {
        var state = AppState.sample()
        state.open("shop/orders/create")
        state.change { $0.body = .json("[\n" + String(repeating: "    0,\n", count: 80_000) + "0]") }
        state.requestState.tab = .body
        #expect(RequestFeature.rows(state).count > 80_000)
        state.change { $0.body = .text(String(repeating: "\n", count: 100_001), contentType: nil) }
        #expect(RequestFeature.rows(state).last?.value.hasPrefix("100002 lines of text are too many for this pane") == true)
    }

    @Test(arguments: ["{\r\n\"a\": 1}\r\n", "a\u{2028}b\n", "a\r\nb\nc\n"]) func `an edit of a body changes only what was typed`(text: String) {
        var state = opened(.text(text, contentType: "text/plain"))
        state.requestState.tab = .body
        state.press("G", "Enter", "^End")
        state.type("Z")
        guard case .text(let edited, _)? = state.openEndpoint?.body else { return #expect(Bool(false), "\(state.screen)") }
        #expect(edited.unicodeScalars.elementsEqual((text + "Z").unicodeScalars), "\(edited.debugDescription)")
    }

    @Test func `the line breaks of a file stay as they are`() {
        var endpoint = Endpoint(target: "a/b", name: "b", path: "/")
        endpoint.body = .file(path: "/x", contentType: nil)
        endpoint.setBodyFileText(to: "a\nb\nc", original: "a\r\nb\r\n")
        #expect(endpoint.editedBodyFile?.text == "a\r\nb\r\nc")
        endpoint.setBodyFileText(to: "a\r\nb\nc", original: "a\r\nb\n")
        #expect(endpoint.editedBodyFile?.text == "a\r\nb\nc")
    }
}
