import HistoryModel
import SortieBase
import SortieGuide
import SortieHTTP
import SortieStorage
import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

@Suite struct GuidePopupTests {
    @Test(arguments: [
        (["1"], "workspaces#endpoints"), (["T"], "transfers#the-queue"), (["R"], "runs"), (["L"], "responses#log"),
        (["H"], "history#in-the-workbench"),
        (["M"], "history#monitor"), (["3"], "responses#in-the-workbench"), (["1", "i"], "addresses#servers"),
    ])
    func `F1 opens the part about what has the focus, and closes it`(keys: [String], address: String) {
        var state = AppState.sample(size: Size(width: 120, height: 40))
        for key in keys { state.press(key) }
        #expect(state.press("F1") == [])
        #expect(state.screen.contains("sortie guide \(address)"), "\(state.screen)")
        state.press("F1")
        #expect(state.popup == nil)
    }

    @Test(arguments: [ResponseTab.timing, .trace]) func `F1 on the tabs about times opens the part about them`(tab: ResponseTab) {
        var state = AppState.sample(size: Size(width: 120, height: 40))
        state.press("3")
        state.responseState.tab = tab
        #expect(state.focusedPane.guideAddress(state) == "responses#timing-and-trace")
    }

    @Test func `the tour that is offered at the start is opened by F1, and left out by any other key`() {
        let address = "first-workspace#a-tour-of-the-demo"
        var state = AppState(workspace: .sample, environment: nil, size: Size(width: 120, height: 40), tour: address)
        #expect(state.screen.contains("F1 opens a tour"), "\(state.screen)")
        var other = state
        for time in [0, 2.0] { _ = state.update(.tick(now: time)) }
        state.press("F1")
        #expect(state.screen.contains("sortie guide \(address)") && state.toast == nil, "\(state.screen)")
        state.press("Esc")
        #expect(state.popup == nil)
        for time in [0, 2.0] { _ = other.update(.tick(now: time)) }
        other.press("j")
        #expect(other.toast == nil)
        other.press("F1")
        #expect(!other.screen.contains(address))
    }

    @Test func `words that the guide does not have propose the nearest one`() {
        var state = AppState.sample(size: Size(width: 120, height: 40))
        for key in ["F1", "/"] { state.press(key) }
        for letter in "redirrects" { state.press(String(letter)) }
        #expect(state.screen.contains("Did you mean “redirects”?"), "\(state.screen)")
        state.press("Enter")
        #expect(state.screen.contains("sortie guide sending#redirects"), "\(state.screen)")
    }

    @Test(arguments: [
        (Command.newEndpoint, "workspaces#create-rename-delete"), (.newService, "workspaces#create-rename-delete"),
        (.newEnvironment, "workspaces#variables"), (.openWorkspace, "workspaces#begin"),
        (.importFile, "import#import"),
    ])
    func `F1 in a form opens the part about the form`(command: Command, address: String) {
        var state = AppState.sample(size: Size(width: 120, height: 40))
        _ = state.perform(command)
        #expect(state.popup != nil)
        state.press("F1")
        #expect((state.popup as? GuidePopup)?.article.topic == String(address.prefix { $0 != "#" }))
        #expect(state.screen.contains("sortie guide \(address)"), "\(state.screen)")
    }

    @Test func `F1 in Request opens the part about the tab, the row or the field`() {
        var state = AppState(workspace: .sample, environment: nil, size: Size(width: 80, height: 24), sections: YAMLSections())
        state.open("shop/orders/list")
        func address(_ tab: RequestTab, _ row: Int) -> String {
            state.requestState.tab = tab
            state.requestState.row = row
            return state.focusedPane.guideAddress(state)
        }
        #expect(address(.params, 0) == "requests#query" && address(.params, -1) == "requests#method-and-url")
        #expect(address(.headers, 0) == "requests#headers" && address(.auth, 0) == "authentication")
        #expect(address(.body, 0) == "bodies")
        state.change { $0.body = .graphQL(GraphQLTemplate(query: "{ me }")) }
        #expect(address(.body, 0) == "graphql")
        let options = OptionRow.allCases.indices.map { address(.options, $0) }
        #expect(options.contains("sending#redirects") && options.contains("sending#retries") && options.contains("responses#the-response-cache"))
        #expect((0..<10).map { address(.rules, $0) }.contains("runs#captures"))
    }

    /// The part of the guide that F1 opens in a state; a failure where it opens none.
    private func opened(_ state: AppState, _ place: String) -> String? {
        var state = state
        state.press("F1")
        let popup = state.popup as? GuidePopup
        #expect(popup.flatMap { Guide.part($0.address) } != nil, "\(place)")
        return popup?.address
    }

    @Test func `F1 opens a part of the guide in every row of every tab, also while its text is edited`() throws {
        var state = AppState(workspace: .sample, environment: nil, size: Size(width: 120, height: 40), sections: YAMLSections())
        state.open("shop/orders/list")
        var bodies: [BodyTemplate] = [.none, .json("{}"), .file(path: "/a", contentType: nil), .multipart([.init(name: "a", value: "")])]
        bodies += [.text("x", contentType: nil), .graphQL(GraphQLTemplate(query: "{ me }"))]
        for tab in RequestTab.allCases {
            for body in tab == .body ? bodies : [.none] {
                state.change { $0.body = body }
                state.requestState.tab = tab
                for row in -1..<RequestFeature.rows(state).count {
                    state.requestState.row = row
                    _ = opened(state, "\(tab) \(body) \(row)")
                    var editing = state
                    editing.press("e")
                    _ = opened(editing, "\(tab) \(body) \(row), edited")
                }
            }
        }
        state.open(service: "shop")
        for tab in ServiceTab.allCases {
            state.servicePane.tab = tab
            for row in ServiceFeature.rows(state).indices {
                state.servicePane.row = row
                _ = opened(state, "service \(tab) \(row)")
            }
        }
    }

    @Test func `F1 on the Auth tab opens the part about the scheme, and on the Body tab that about the kind`() {
        var state = AppState(workspace: .sample, environment: nil, size: Size(width: 120, height: 40), sections: YAMLSections())
        state.open("shop/orders/list")
        state.focus(.request)
        func address(_ tab: RequestTab, row: Int = 0, _ change: (inout Endpoint) -> Void) -> String? {
            state.requestState.tab = tab
            state.requestState.row = row
            state.change(nil, change)
            return opened(state, "\(tab)")
        }
        let parts: [AuthChoice: String] = [
            .basic: "kinds", .bearer: "kinds", .apiKey: "api-keys", .oauth2: "oauth-2", .jwt: "json-web-tokens", .awsSigV4: "aws", .ntlm: "ntlm",
            .negotiate: "kerberos", .httpSignature: "signatures", .hawk: "signatures", .wsse: "signatures",
        ]
        for (choice, part) in parts {
            #expect(address(.auth) { $0.auth = choice.auth(from: .none, before: nil) } == "authentication#\(part)")
        }
        #expect(address(.body) { $0.body = .file(path: "/a", contentType: nil) } == "bodies#parts-and-files")
        #expect(address(.body) { $0.body = .json("{}") } == "bodies")
        #expect(address(.body, row: 1) { $0.body = .json("{}") } == "bodies#the-body-editor")
    }

    @Test func `F1 opens a part of the guide in every popup that a command of the palette opens`() {
        var first = AppState(workspace: .sample, environment: nil, size: Size(width: 120, height: 40), sections: YAMLSections())
        first.open("shop/orders/list")
        first.change { $0.body = .graphQL(GraphQLTemplate(query: "{ me }")) }
        var seen = 0
        for binding in first.keymap.bindings where binding.command != .guide {
            var state = first
            _ = state.perform(binding.command)
            guard let popup = state.popup, !(popup is GuidePopup) else { continue }
            seen += 1
            if let address = popup.guideAddress { #expect(Guide.part(address) != nil, "\(binding.label): \(address)") }
            _ = opened(state, binding.label)
        }
        #expect(seen > 15, "\(seen)")
    }

    @Test func `every key of an endpoint and of a service has a part of the guide`() {
        let options = OptionRow.allCases.map(\.key) + EndpointSection.allCases.map(\.rawValue)
        let keys = options + ["query", "headers", "auth", "body", "graphql", "grpc", "servers", "trust", "proxy", "tunnel", "addresses", "limits"]
        for key in keys {
            let address = GuidePlace.address(ofWorkspaceKey: key)
            #expect(address.flatMap { Guide.part($0) } != nil, "\(key): \(address ?? "none")")
        }
    }

    @Test(arguments: [Size(width: 40, height: 12), Size(width: 80, height: 24), Size(width: 200, height: 50)])
    func `a part opens at its heading, also where the heading is wrapped`(size: Size) throws {
        let state = AppState.sample(size: size)
        for address in ["scripting#install-manual-and-completion", "recipes#download-within-a-limit-and-check-the-digest"] {
            let popup = try #require(GuidePopup(address, state), "\(address)")
            let line = popup.lines(width: state.readingRect.width - 4)[popup.position.top].map(\.text).joined()
            #expect(!line.isEmpty && address.hasPrefix("\(popup.article.topic)#" + GuideArticle.anchor(line).prefix(7)), "\(line)")
        }
    }

    @Test func `each pane has a part of the guide`() {
        var state = AppState.sample()
        for key in ["1", "2", "3", "T", "R", "L", "H", "M"] {
            state.press(key)
            #expect(Guide.part(state.focusedPane.guideAddress(state)) != nil, "\(key)")
        }
    }

    @Test(arguments: [("C", "cookies"), ("^P", "transfers"), ("?", "transfers"), ("^E", "workspaces#variables")])
    func `F1 in a popup opens the article about it or the pane below, and Esc goes back to the popup`(key: String, topic: String) {
        var state = AppState.sample()
        state.press("T", key)
        let before = state.screen
        state.press("F1")
        #expect(state.screen.contains("sortie guide \(topic)"))
        state.press("Esc")
        #expect(state.screen == before && state.popup != nil)
        state.press("F1", "F1")
        #expect(state.screen == before && state.popup != nil)
    }

    @Test func `F1 keeps what is typed into a prompt`() {
        var state = AppState.sample()
        state.open("shop/orders/list")
        state.press("m", "End", "Enter")
        state.type("PROP")
        state.press("F1")
        #expect(state.screen.contains("sortie guide requests"))
        state.press("F1")
        state.type("FIND")
        state.press("Enter")
        #expect(state.openEndpoint?.method.rawValue == "PROPFIND")
    }

    @Test func `each popup with an article names one of the guide`() throws {
        var store = HistoryStandIn()
        store.add(2)
        guard case .compared(let comparison) = store.answer(.compare(1, 2)) else {
            Issue.record("no comparison")
            return
        }
        let popups: [any Popup] = [
            CookiesPopup(environment: nil), ComparePopup(comparison), DiffPopup(target: "x", comparison: comparison.body),
            DryRunPopup(outcome: .failed(Diagnostic(SourceLocation(file: "x.yaml"), "x")), target: "x"), TransferPopup(id: CallID(1)),
        ]
        for popup in popups {
            #expect(Guide.part(try #require(popup.guideAddress)) != nil)
        }
    }

    @Test func `/ searches all articles, Enter opens the best part at its place, and n goes to the other matches there`() throws {
        var state = AppState.sample()
        state.press("1", "F1", "/")
        #expect(state.screen.contains("Search the guide") && state.screen.contains("workspaces"))
        state.type("pin certificate")
        #expect(state.screen.contains("Addresses and TLS trust › Certificates"), "\(state.screen)")
        state.press("Enter")
        let popup = try #require(state.popup as? GuidePopup)
        #expect(popup.address == "addresses#certificates" && popup.position.top > 0 && state.screen.contains("Certificates"))
        state.press("n")
        #expect((state.popup as? GuidePopup)?.position.match ?? 0 >= popup.position.top)
        state.press("Esc")
        #expect(state.popup == nil)
    }

    @Test func `a search that is left or finds nothing keeps the article that was open`() {
        var state = AppState.sample()
        state.press("1", "F1")
        let before = state.screen
        state.press("/")
        state.type("qqqq")
        #expect(state.screen.contains("The guide has nothing about these words"))
        state.press("Esc")
        #expect(state.screen == before)
    }

    @Test func `an article is scrolled to its end and copied as text`() {
        var state = AppState.sample()
        state.press("F1")
        let top = state.screen
        state.press("PgDn")
        #expect(state.screen != top)
        state.press("G")
        let last = Guide.article("workspaces")?.lines(width: 70).last?.text ?? ""
        #expect(!last.isEmpty && state.screen.contains(last))
        guard case .copy(_, let text)? = state.press("y").first else {
            Issue.record("nothing was copied")
            return
        }
        #expect(text.hasPrefix("Workspaces\n"))
    }

    @Test func `code that is wider than the popup is continued on the next row`() {
        var state = AppState.sample(size: Size(width: 40, height: 12))
        state.press("F1")
        guard let popup = state.popup as? GuidePopup else {
            Issue.record("no article is shown")
            return
        }
        let rows = popup.lines(width: 30)
        #expect(rows.allSatisfy { row in row.reduce(0) { $0 + CellWidth.width(of: $1.text) } <= 30 })
        #expect(rows.count > popup.article.lines(width: 30).count)
    }
}
