import Testing

@Suite struct GraphQLRoutesTests {
    private func answer(_ body: String, accept: String = "application/json") async throws -> Curl {
        try await withServer { base async throws in
            try await Curl.run("-H", "Content-Type: application/json", "-H", "Accept: \(accept)", "-d", body, base + "/graphql")
        }
    }

    @Test func `an order has the fields that the query names`() async throws {
        let answer = try await answer(#"{"query": "query($id: ID!) { order(id: $id) { id paid } }", "variables": {"id": 5}}"#)
        #expect(answer.status == 200 && answer.json("data.order.id") == "5" && answer.json("data.order.paid") == "false")
        #expect(answer.json("data.order.title") == nil && answer.json("errors") == nil)
    }

    @Test func `an unknown order is an error beside data`() async throws {
        let answer = try await answer(#"{"query": "{ order }", "variables": {"id": "99"}}"#, accept: "application/graphql-response+json")
        #expect(answer.status == 200 && answer.json("errors.0.extensions.code") == "NOT_FOUND")
        #expect(answer.json("errors.0.message")?.hasPrefix("There is no order 99") == true)
    }

    @Test func `a body that is not a request is a 400 with errors`() async throws {
        let answer = try await answer("{}")
        #expect(answer.status == 400 && answer.json("errors.0.message")?.contains("query and variables") == true)
    }
}
