import SortieHTTP
import SortieStorage
import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Tests the Rules tab of Request: the sections of an endpoint as text.
@Suite struct SectionsTests {
    static let sizes = [Size(width: 80, height: 24), Size(width: 200, height: 50)]

    private func opened(_ size: Size = sizes[1], _ change: (inout Endpoint) -> Void = { _ in }) -> AppState {
        var workspace = Workspace.sample
        change(&workspace.services[0].endpoints[2])
        var state = AppState(workspace: workspace, environment: nil, size: size, sections: YAMLSections())
        state.open("shop/orders/list")
        state.press("]", "]", "]", "]")
        // The description comes before the sections.
        state.press("j")
        return state
    }

    @Test(arguments: sizes) func `the tab shows each section with its text, or its purpose`(size: Size) {
        let state = opened(size) {
            $0.expectation = Expectation(status: 200, json: [Parameter("$.code", "200")])
        }
        #expect(state.screen.contains("Rules"))
        #expect(state.screen.contains("expect:"))
        #expect(state.screen.contains("status: 200"))
        #expect(state.screen.contains("json: {$.code: 200}"))
        #expect(state.screen.contains("capture:") && !state.screen.contains("answer:"))
        #expect(state.screen.contains("none"))
    }

    @Test func `on the smallest screen an empty section names its keys, and the border names the section`() {
        var state = opened(Size(width: 40, height: 10))
        state.press("2", "Enter")
        #expect(state.screen.contains("expect:"), "\(state.screen)")
        #expect(state.screen.contains("status: …"), "\(state.screen)")
        state.type("status: 200")
        #expect(!state.screen.contains("json: …"), "\(state.screen)")
    }

    @Test(arguments: sizes) func `S4.10 S1.42 a reformer and plugins are typed, and a mistake is displayed with its place`(size: Size) {
        var state = opened(size)
        state.press("j", "j", "Enter")
        state.type("number: $.id")
        #expect(state.openEndpoint?.reform == [Parameter("number", "$.id")])
        state.press("Esc", "G", "k", "k", "k", "k", "Enter")
        state.type("- sing")
        #expect(state.screen.contains("1:3: there is no plugin “sing”"))
        state.press("Esc", "d", "Enter")
        state.type("- debugLog")
        #expect(state.openEndpoint?.pluginUse == .adding([.debugLog()]))
    }

    @Test(arguments: sizes) func `a section is typed, which is a draft that can be undone`(size: Size) {
        var state = opened(size)
        state.press("Enter")
        state.type("status: 200")
        #expect(state.openEndpoint?.expectation?.status == 200)
        state.press("Enter")
        state.type("json:")
        state.press("Enter")
        state.type("$.code: 1")
        // A new line after a colon is indented.
        #expect(state.openEndpoint?.expectation?.json == [Parameter("$.code", "1")])
        state.press("Esc")
        #expect(state.screen.contains("edited"))
        #expect(state.screen.contains("json: {$.code: 1}"))
        for _ in 0..<30 { state.press("u") }
        #expect(state.openEndpoint?.expectation == nil)
        #expect(!state.screen.contains("edited"))
    }

    @Test(arguments: sizes) func `the place of a problem is displayed while typing, and the text is kept`(size: Size) {
        var state = opened(size)
        state.press("Enter")
        state.type("status: te")
        #expect(state.screen.contains("1:9: “te” is neither a status nor a range"))
        state.press("Esc")
        #expect(state.screen.contains("status: te"))
        #expect(state.screen.contains("1:9: “te” is neither a status"))
        #expect(state.openEndpoint?.unreadableSections == [.expect: "status: te"])
        #expect(state.unsavedDrafts.first?.edited.unreadableSections == [.expect: "status: te"])
        state.press("d")
        #expect(state.openEndpoint?.unreadableSections == [:])
        #expect(!state.screen.contains("neither a status"))
        state.press("u")
        #expect(state.openEndpoint?.unreadableSections == [.expect: "status: te"])
    }

    @Test func `the keys of the section are displayed beside the text where there is room`() {
        var state = opened(Size(width: 120, height: 50))
        state.press("Enter")
        #expect(state.screen.contains("list of statuses and ranges · the status"), "\(state.screen)")
        state = opened(Size(width: 80, height: 24))
        state.press("Enter")
        #expect(state.screen.contains("status json headers body under size schema snapshot"), "\(state.screen)")
        state = opened(Size(width: 60, height: 15))
        state.press("Enter")
        #expect(!state.screen.contains("list of statuses and ranges"), "\(state.screen)")
    }

    @Test func `conditions under answer: are edited with those of expect:, and stay under answer: until then`() {
        var state = opened(Size(width: 200, height: 50)) {
            $0.expectation = Expectation(accepted: [200...299], contentTypes: ["text/html"])
            $0.expectation?.usesAnswerKey = true
        }
        #expect(state.screen.contains("accept: [2xx]") && state.screen.contains("types: [text/html]"), "\(state.screen)")
        #expect(state.openEndpoint?.expectation?.usesAnswerKey == true)
        state.press("Enter", "End", "Enter")
        state.type("status: 201")
        #expect(state.openEndpoint?.expectation?.usesAnswerKey == false && state.openEndpoint?.expectation?.accepted == [200...299])
        #expect(state.openEndpoint?.expectation?.status == 201)
    }

    @Test func `d removes a section, and says why it cannot`() {
        var state = opened { $0.captures = [Capture(name: "id", path: "$.id")] }
        state.press("d")
        #expect(state.toast?.text.contains("no expect") == true)
        state.press("j", "j", "d")
        #expect(state.openEndpoint?.captures == [])
    }

    @Test func `values with the name of a secret are masked until secrets are shown`() {
        var state = opened { $0.variables = ["password": "hunter2", "size": "5"] }
        #expect(state.screen.contains("password: ••••") && !state.screen.contains("hunter2"))
        #expect(state.screen.contains("size: 5"))
        state.press("S")
        #expect(state.screen.contains("hunter2"))
    }
}
