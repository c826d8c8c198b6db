import SortieHTTP
import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

@Suite struct TypedURLTests {
    @Test func `the URL has the rows that are on, and typing in it changes them`() {
        var state = AppState.sample()
        state.open("shop/orders/list")
        state.press("p", "^E")
        state.type("&sort=up")
        #expect(
            state.openEndpoint?.query.map(\.name) == ["page", "sort", "size"] || state.openEndpoint?.query.map(\.name) == ["page", "size", "sort"])
        #expect(state.openEndpoint?.query.first { $0.name == "size" }?.isEnabled == false)
        #expect(state.openEndpoint?.path == "/orders")
        state.press("Enter", "u")
        #expect(state.openEndpoint?.query.map(\.name) == ["page", "size"])
    }

    @Test func `Enter in the URL of a new request sends it, and in that of another one does not`() {
        var state = AppState.sample()
        state.open("shop/orders/list")
        state.change { $0 = Endpoint(target: $0.target, name: $0.name, path: "") }
        state.press("p")
        #expect(state.press("Enter").isEmpty, "without a URL")
        state.press("p")
        state.type("localhost:1/x")
        #expect(state.screen.contains("Enter Send"))
        #expect(state.press("Enter").contains { if case .send = $0 { true } else { false } })
        #expect(state.openEndpoint?.path == "localhost:1/x" || state.openEndpoint?.path == "http://localhost:1/x")
        state.press("p")
        #expect(state.press("Enter").isEmpty && state.requestState.editing == nil)
        // A request that changes something on the server is sent by the key for that.
        state.change { $0 = Endpoint(target: $0.target, name: $0.name, method: .post, path: "") }
        state.press("p")
        state.type("/x")
        #expect(state.press("Enter").isEmpty)
    }

    @Test func `a pasted URL takes the place of the edited one, and is inserted after a separator`() {
        var state = AppState.sample()
        state.open("shop/orders/list")
        state.press("p", "^U")
        _ = state.update(.input(.paste("http://other.test/a?b=1")))
        #expect(state.openEndpoint?.path == "http://other.test/a" && state.openEndpoint?.query.filter(\.isEnabled) == [Parameter("b", "1")])
        state.press("Enter", "p")
        _ = state.update(.input(.paste(" https://third.test/c\n")))
        #expect(state.openEndpoint?.path == "https://third.test/c", "\(state.openEndpoint?.path ?? "")")
        state.press("Enter", "u")
        #expect(state.openEndpoint?.path == "http://other.test/a")
        state.press("U", "p")
        state.type("?next=")
        _ = state.update(.input(.paste("http://h.test/x")))
        #expect(state.openEndpoint?.path == "https://third.test/c")
        #expect(state.openEndpoint?.query.filter(\.isEnabled).map(\.value) == ["http://h.test/x"])
    }

    @Test func `moving in the URL changes nothing`() {
        var state = AppState.sample()
        state.open("shop/orders/list")
        state.press("p", "←", "→", "^A", "^E", "Enter")
        #expect(state.drafts["shop/orders/list"]?.isEdited != true)
    }

    @Test func `rows that are sent in a form are not part of the URL`() throws {
        var workspace = Workspace.sample
        var endpoint = Endpoint(target: "shop/form", name: "Form", method: .post, path: "/form")
        endpoint.query = [Parameter("a", "1")]
        endpoint.parameters = ParameterStyle()
        endpoint.parameters?.place = .byMethod
        workspace.services[0].endpoints.append(endpoint)
        var state = AppState(workspace: workspace, environment: nil, size: Size(width: 80, height: 24))
        state.open("shop/form")
        state.press("p")
        state.type("?x=1")
        #expect(state.openEndpoint?.path == "/form?x=1" && state.openEndpoint?.query == [Parameter("a", "1")])
    }

    @Test func `a host gets a scheme when the field is left, only where the service has no server`() {
        var workspace = Workspace.sample
        workspace.services.append(Service(folder: "free", name: "Free"))
        workspace.services[1].endpoints = [Endpoint(target: "free/a", name: "A", path: "")]
        var state = AppState(workspace: workspace, environment: nil, size: Size(width: 80, height: 24))
        state.open("free/a")
        #expect(state.screen.contains("No URL yet"))
        state.press("p")
        state.type("api.example/x")
        state.press("Enter")
        #expect(state.openEndpoint?.path == "https://api.example/x")
        state.press("u")
        #expect(state.openEndpoint?.path == "")
        state.open("shop/orders/list")
        state.press("p", "^A")
        state.type("api.example")
        state.press("Enter")
        #expect(state.openEndpoint?.path == "api.example/orders")
    }
}
