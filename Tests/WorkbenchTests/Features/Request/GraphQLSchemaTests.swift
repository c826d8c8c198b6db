import SortieBase
import SortieHTTP
import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Tests the schema of a GraphQL server while a query is typed.
@Suite struct GraphQLSchemaTests {
    private static let target = "shop/orders/list"
    private static let introspection = """
        {"data": {"__schema": {"queryType": {"name": "Query"}, "types": [
          {"kind": "OBJECT", "name": "Query", "fields": [{"name": "order", "type": {"kind": "OBJECT", "name": "Order"}, "args": []}]},
          {"kind": "OBJECT", "name": "Order", "fields": [{"name": "title", "type": {"kind": "SCALAR", "name": "String"}, "args": []}]},
          {"kind": "SCALAR", "name": "String"}]}}}
        """

    /// A state in which the query of the open endpoint is being typed, with the cursor at its start, or at its end.
    private func typing(_ query: String, atEnd: Bool = true) throws -> AppState {
        var state = AppState.sample(size: Size(width: 120, height: 40))
        let index = try #require(state.workspace.services[0].endpoints.firstIndex { $0.target == Self.target })
        state.workspace.services[0].endpoints[index].body = .graphQL(GraphQLTemplate(query: query))
        state.open(Self.target)
        state.requestState.tab = .body
        state.requestState.row = try #require(RequestFeature.rows(state).firstIndex { $0.kind == .line(0, of: .content) })
        state.press("Enter")
        if atEnd { state.press("End") }
        return state
    }

    private func schema() throws -> GraphQLSchema { try #require(GraphQLSchema(introspection: try JSONValue(parsing: Self.introspection))) }

    /// The job that reads the schema.
    private func job(_ effects: [Effect]) -> JobID? {
        effects.started(GraphQLSchemaJob.self).first { $0.job.environment == "develop" }?.id
    }

    /// Ends a call with a response to the query, or with another one.
    private func answer(_ call: CallID, isGraphQL: Bool, _ state: inout AppState) {
        var exchange = Exchange.sample(#"{"data": {}}"#)
        exchange.expectationResult = ExpectationResult(
            checks: [ExchangeCheck(.graphql, isGraphQL ? .passed : .failed, subject: isGraphQL ? "errors" : "response", actual: "none")])
        _ = state.update(.call(call, .finished(exchange)))
    }

    @Test func `Ctrl-Space reads the schema, which then completes and checks the query`() throws {
        var state = try typing("{ ord")
        let id = try #require(job(state.update(.input(.key(.control(" "))))))
        _ = state.end(GraphQLSchemaJob.self, id, .done(try schema()))
        #expect(state.toast?.text == "The schema has 3 types and 1 query field")
        state.type("e")
        #expect(state.screen.contains("order") && state.screen.contains("Order"))
        state.press("Tab")
        state.type(" { titel }")
        #expect(state.screen.contains("1:11: Order has no field titel; did you mean title?"))
    }

    @Test func `the number of mistakes follows the first one, and the values of variables are checked`() throws {
        var state = try typing("query Q($n: Int!) { order { titel } ordr }")
        let id = try #require(job(state.update(.input(.key(.control(" "))))))
        _ = state.end(GraphQLSchemaJob.self, id, .done(try schema()))
        #expect(state.screen.contains("1:29: Order has no field titel; did you mean title? (1/3)"))
        state.press("Esc")
        state.requestState.row = try #require(RequestFeature.rows(state).firstIndex { $0.kind == .line(0, of: .variables) })
        state.press("Enter")
        #expect(state.screen.contains("1:1: the variable $n needs a value: Int!"))
        state.type(#"{"n": "1"}"#)
        #expect(state.screen.contains("1:7: n is of the type Int!"))
    }

    @Test func `the types of the server are a list that is read on demand, and Enter goes to the type of a field`() throws {
        var state = try typing("{ ord")
        state.press("Esc")
        let id = try #require(job(GraphQLFeature().perform(.browseTypes, &state) ?? []))
        _ = state.end(GraphQLSchemaJob.self, id, .done(try schema()))
        #expect(state.screen.contains("order: Order") && state.screen.contains("title: String") && state.screen.contains("object · query"))
        state.type("order:")
        state.press("Enter")
        let list = try #require(state.popup as? ListPopup)
        #expect(list.filter?.text == "" && list.shown[list.selected].label == "Order")
        state.press("Esc")
        #expect(state.popups.isEmpty && GraphQLFeature().perform(.browseTypes, &state)?.isEmpty == true && !state.popups.isEmpty)
    }

    @Test func `a schema that cannot be read is an error with the reason`() throws {
        var state = try typing("{ ord")
        let id = try #require(job(state.update(.input(.key(.control(" "))))))
        _ = state.end(GraphQLSchemaJob.self, id, .failed("introspection is disabled"))
        #expect(state.toast?.text == "The schema cannot be read: introspection is disabled")
    }

    @Test(arguments: [true, false])
    func `typing reads the schema only of a server that has responded to a GraphQL request, and once`(isGraphQL: Bool) throws {
        var state = try typing("{ ord")
        #expect(job(state.type("e")) == nil)
        state.press("Esc")
        answer(state.sendOpen(), isGraphQL: isGraphQL, &state)
        state.focus(.request)
        state.requestState.row = try #require(RequestFeature.rows(state).firstIndex { $0.kind == .line(0, of: .content) })
        state.press("Enter")
        #expect(state.typedText?.place == .graphQL)
        #expect((job(state.type("r")) != nil) == isGraphQL)
        #expect(job(state.type("x")) == nil)
    }

    /// The job that loads the stored schema.
    private func storedJob(_ effects: [Effect]) -> JobID? {
        effects.started(StoredGraphQLSchemaJob.self).first { $0.job.environment == "develop" }?.id
    }

    @Test func `typing loads the schema that an earlier session stored, once`() throws {
        var state = try typing("{ ord", atEnd: false)
        let id = try #require(storedJob(state.press("End")))
        #expect(storedJob(state.type("x")) == nil)
        state.press("Backspace")
        _ = state.end(StoredGraphQLSchemaJob.self, id, .done(try schema()))
        #expect(state.toast == nil)
        state.type("e")
        state.press("Tab")
        state.type(" { titel }")
        #expect(state.screen.contains("1:11: Order has no field titel; did you mean title?"))
    }

    @Test func `a stored schema neither replaces that of the server nor prevents reading it`() throws {
        var state = try typing("{ ord", atEnd: false)
        let stored = try #require(storedJob(state.press("End")))
        let asked = try #require(job(state.update(.input(.key(.control(" "))))))
        _ = state.end(GraphQLSchemaJob.self, asked, .done(try schema()))
        let other = Self.introspection.replacing("title", with: "name")
        _ = state.end(StoredGraphQLSchemaJob.self, stored, .done(try #require(GraphQLSchema(introspection: try JSONValue(parsing: other)))))
        state.type("er { titel }")
        #expect(state.screen.contains("did you mean title?"))

        state = try typing("{ ord", atEnd: false)
        _ = state.end(StoredGraphQLSchemaJob.self, try #require(storedJob(state.press("End"))), .done(try schema()))
        state.press("Esc")
        answer(state.sendOpen(), isGraphQL: true, &state)
        state.focus(.request)
        state.requestState.row = try #require(RequestFeature.rows(state).firstIndex { $0.kind == .line(0, of: .content) })
        state.press("Enter")
        #expect(job(state.type("r")) != nil)
    }

    @Test func `another body has no schema`() {
        var state = AppState.sample(size: Size(width: 120, height: 40))
        state.open(Self.target)
        #expect(state.graphQLSchema(of: state.openEndpoint ?? Endpoint(target: "", name: "", path: "")) == nil)
        #expect(GraphQLFeature.read(isAsked: true, &state).isEmpty)
    }
}
