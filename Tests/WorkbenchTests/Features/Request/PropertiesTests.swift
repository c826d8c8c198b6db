import SortieHTTP
import SortieStorage
import SortieTerminal
import Support
import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Tests that every key of an endpoint's file is edited in Request.
@Suite struct PropertiesTests {
    private func opened(_ size: Size = Size(width: 160, height: 50), _ change: (inout Workspace) -> Void = { _ in }) -> AppState {
        var workspace = Workspace.sample
        change(&workspace)
        var state = AppState(workspace: workspace, environment: nil, size: size, sections: YAMLSections())
        state.open("shop/orders/list")
        return state
    }

    /// Chooses a key in the list of properties.
    private func choose(_ key: String, _ state: inout AppState) {
        state.press("P")
        state.type(key)
        state.press("Enter")
    }

    /// What is typed after a property was chosen, by key.
    private static let edits: [String: [String]] = [
        "name": ["^U", "Listing", "Enter"], "description": ["All orders.", "Esc"], "tags": ["^U", "orders, smoke", "Enter"],
        "method": ["↓", "Enter"],
        "path": ["^U", "/all", "Enter"], "query": ["^U", "2", "Enter"], "headers": ["X-A", "Tab", "1", "Enter"], "auth": ["Enter", "tok", "Enter"],
        "body": ["↓", "Enter", "Esc"], "variables": ["size: 20", "Esc"], "kind": ["↓", "Enter"], "download": ["to: list.json", "Esc"],
        "https": ["↓", "Enter"], "inherit": ["Space"], "timeout": ["^U", "5s", "Enter"], "cache": ["for: 60s", "Esc"], "retry": ["limit: 2", "Esc"],
        "priority": ["↓", "Enter"], "traffic": ["↓", "Enter"], "serviceType": ["↓", "Enter"], "uploadRate": ["^U", "2MB", "Enter"],
        "http": ["↓", "Enter"],
        "redirects": ["^U", "0", "Enter"], "compression": ["Space"], "cookies": ["Space"], "interface": ["^U", "eth0", "Enter"],
        "excludeNetworks": ["^U", "cellular", "Enter"],
        "page": ["number: page", "Esc"], "expect": ["status: 200", "Esc"], "capture": ["id: $.id", "Esc"], "parameters": ["arrays: comma", "Esc"],
        "reform": ["id: $.id", "Esc"], "examples": ["ok: {response: {status: 200}}", "Esc"],
        "messages": ["hi: there", "Esc"], "plugins": ["- debugLog", "Esc"],
        "hooks": ["- {stage: process, run: [./check]}", "Esc"], "contract": ["↓", "Enter"], "grpc": ["method: shop.Orders/List", "Esc"],
    ]

    /// All but `extends`, which changes what the whole file means.
    private static let keys = YAMLSections().endpointKeys.map(\.name).filter { $0 != "extends" }

    @Test func `a key that only the file has says where it is edited`() {
        var state = opened()
        choose("extends", &state)
        #expect(state.popup == nil && state.screen.contains("extends: is edited in the file of the endpoint, which ^O opens"))
    }

    @Test(arguments: keys) func `every key of an endpoint's file has an editor, which sets it, and undo takes it back`(key: String) throws {
        var state = opened()
        let before = try #require(state.openEndpoint)
        let value = YAMLSections().value(ofKey: key, in: before)
        choose(key, &state)
        for input in try #require(Self.edits[key], "there is no editor for \(key)") {
            if Key(label: input) != nil, input.count > 1 || !input.allSatisfy(\.isLetter) && Int(input) == nil {
                state.press(input)
            } else {
                state.type(input)
            }
        }
        let edited = try #require(state.openEndpoint)
        #expect(YAMLSections().value(ofKey: key, in: edited) != value, "\(key) was not set")
        #expect(RequestFeature.editing(state) == nil && state.popup == nil)
        for _ in 0..<10 { state.press("u") }
        #expect(state.openEndpoint == before)
    }

    @Test func `the list shows each key with its value or its meaning`() {
        var state = opened(Size(width: 160, height: 50)) { $0.services[0].endpoints[2].tags = ["smoke"] }
        #expect(state.screen.contains("P Properties"))
        state.press("P")
        let screen = state.screen
        #expect(screen.contains("Properties of List orders"))
        #expect(screen.contains("tags") && screen.contains("[smoke] · words by which"))
        #expect(screen.contains("2 rows · parameters of the query"))
        #expect(screen.contains("how often a failed request is sent again"))
    }

    @Test func `the list shows no secret`() {
        var state = opened {
            $0.services[0].endpoints[2].auth = .bearer(token: "hunter2")
            $0.services[0].endpoints[2].variables = ["password": "swordfish"]
        }
        state.press("P")
        #expect(!state.screen.contains("hunter2") && !state.screen.contains("swordfish"))
    }

    @Test func `the palette finds the list by the name of a property`() {
        var state = opened()
        state.press("^P")
        state.type("answer")
        state.press("Enter")
        #expect(state.screen.contains("Properties of List orders"))
    }

    @Test func `invalid tags are refused with their form, and tags of the service are not repeated`() {
        var state = opened { $0.services[0].tags = ["public"] }
        choose("tags", &state)
        state.press("^U")
        state.type("#orders public")
        state.press("Enter")
        #expect(state.openEndpoint?.tags == ["orders"])
        #expect(state.screen.contains("orders, public"))
        choose("tags", &state)
        state.press("^U")
        state.type("a##b")
        state.press("Enter")
        #expect(RequestFeature.editing(state) != nil && state.toast?.text.contains("words such as smoke") == true)
    }

    @Test func `a sets an option and a rule, and d resets it`() {
        var state = opened()
        choose("redirects", &state)
        state.press("Esc", "a")
        #expect(RequestFeature.editing(state) != nil)
        state.press("^U")
        state.type("3")
        state.press("Enter")
        #expect(state.openEndpoint?.redirects == 3)
        state.press("d")
        #expect(state.openEndpoint?.redirects == nil)
        choose("retry", &state)
        state.press("Esc", "a")
        state.type("limit: 1")
        state.press("Esc")
        #expect(state.openEndpoint?.retry?.limit == 1)
        state.press("d")
        #expect(state.openEndpoint?.retry == nil)
    }

    @Test func `text that is pasted on a tab without rows is not taken`() {
        var state = opened()
        choose("redirects", &state)
        state.press("Esc")
        _ = state.update(.input(.paste("a: 1\nb: 2")))
        #expect(state.drafts.values.allSatisfy { !$0.isEdited })
    }

    @Test func `Space leaves out a header of the service, and sends it again`() {
        var state = opened()
        state.press("]")
        state.requestState.row = RequestFeature.rows(state).firstIndex { $0.name == "Accept" } ?? -1
        #expect(state.screen.contains("Space Leave out"))
        state.press("Space")
        #expect(state.openEndpoint?.removedHeaders == ["Accept"])
        #expect(state.screen.contains("[ ] Accept") && state.screen.contains("is not sent"))
        #expect(state.screen.contains("Space Send"))
        state.press("Space")
        #expect(state.openEndpoint?.removedHeaders == nil)
        state.press("d")
        #expect(state.openEndpoint?.removedHeaders == ["Accept"])
        state.press("u")
        #expect(state.openEndpoint?.removedHeaders == nil)
    }
}
