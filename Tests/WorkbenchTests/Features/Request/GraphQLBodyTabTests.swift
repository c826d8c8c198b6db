import SortieBase
import SortieHTTP
import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Tests a GraphQL body on the Body tab.
@Suite struct GraphQLBodyTabTests {
    private func opened(_ body: BodyTemplate, method: HTTPMethod = .post) -> AppState {
        var workspace = Workspace.sample
        workspace.services[0].endpoints[1].body = body
        workspace.services[0].endpoints[1].method = method
        var state = AppState(workspace: workspace, environment: nil, size: Size(width: 120, height: 40))
        state.open("shop/orders/create")
        state.requestState.tab = .body
        return state
    }

    private func choose(_ kind: BodyChoice, in state: inout AppState) {
        state.stopEditing()
        state.requestState.row = 0
        state.press("Enter", "Home")
        for _ in 0..<(BodyChoice.allCases.firstIndex(of: kind) ?? 0) { state.press("↓") }
        state.press("Enter")
    }

    private func select(_ kind: RequestRow.Kind, in state: inout AppState) throws {
        state.requestState.row = try #require(RequestFeature.rows(state).firstIndex { $0.kind == kind })
    }

    private static let request = GraphQLTemplate(query: "query Q {\n  a\n}", variables: "{\n  \"x\": 1\n}", operation: "Q")

    @Test func `operation, query and variables have rows`() {
        let state = opened(.graphQL(Self.request))
        #expect(
            RequestFeature.rows(state).map(\.kind) == [
                .choice(.bodyKind), .setting(.operation), .bodyText(.content), .line(0, of: .content), .line(1, of: .content),
                .line(2, of: .content), .bodyText(.variables), .line(0, of: .variables), .line(1, of: .variables), .line(2, of: .variables),
            ])
        #expect(state.screen.contains("query Q {") && state.screen.contains("Variables") && state.screen.contains("\"x\": 1"))
    }

    @Test func `query, variables and operation are edited each on its own`() throws {
        var state = opened(.graphQL(GraphQLTemplate(query: "", variables: "")))
        try select(.bodyText(.content), in: &state)
        state.press("Enter")
        state.type("{ a }")
        state.press("Esc")
        try select(.line(0, of: .variables), in: &state)
        state.press("Enter")
        state.type("{\"x\": ")
        #expect(state.screen.contains("not JSON"))
        state.type("2}")
        state.press("Esc")
        try select(.setting(.operation), in: &state)
        state.press("Enter")
        state.type("Q")
        state.press("Enter")
        guard case .graphQL(let request) = state.openEndpoint?.body else { throw Missing() }
        #expect(request.query == "{ a }" && request.operation == "Q")
        #expect(request.variables == "{\"x\": 2}", "\(request.variables)")
    }

    private struct Missing: Error {}

    @Test func `a JSON body with a query becomes a GraphQL body, and the other way round`() {
        var state = opened(.json(Self.request.json))
        choose(.graphQL, in: &state)
        #expect(state.openEndpoint?.body == .graphQL(Self.request))
        var back = opened(.graphQL(Self.request))
        choose(.json, in: &back)
        #expect(back.openEndpoint?.body == .json(Self.request.json))
    }

    @Test func `choosing GraphQL for a GET makes it a POST`() {
        var state = opened(.none, method: .get)
        choose(.graphQL, in: &state)
        #expect(state.openEndpoint?.method == .post && state.openEndpoint?.body == .graphQL(GraphQLTemplate(query: "")))
        state.press("Esc")
        #expect(state.screen.contains("no query yet"))
    }

    @Test(arguments: [("[1]", true), ("1", true), ("{", true), ("", false), ("{}", false), ("{{vars}}", false), ("{\"a\": {{x}}}", false)])
    func `variables that are not an object are reported`(text: String, isWrong: Bool) {
        #expect((BodyTemplate.graphQL(GraphQLTemplate(query: "{ a }", variables: text)).syntaxProblem != nil) == isWrong)
    }

    private static func edited(_ effects: [Effect]) -> [String] {
        for case .edit(_, let text, let suffix) in effects { return [text, suffix] }
        return []
    }

    @Test func `the editor gets the text of the selected row`() throws {
        var state = opened(.graphQL(Self.request))
        try select(.line(1, of: .variables), in: &state)
        let effects = state.press("^O")
        #expect(Self.edited(effects) == [Self.request.variables, ".json"])
        try select(.line(1, of: .content), in: &state)
        #expect(Self.edited(state.press("^O")) == [Self.request.query, ".graphql"])
    }
}
