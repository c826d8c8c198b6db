import Testing

@Suite struct GraphQLRoutesTests {
    private func answer(_ base: String, _ body: String, accept: String = "application/json") async throws -> Curl {
        try await Curl.run("-H", "Content-Type: application/json", "-H", "Accept: \(accept)", "-d", body, base + "/graphql")
    }

    @Test func `an order has the fields that the query names`() async throws {
        try await withServer { base async throws in
            let answer = try await answer(base, #"{"query": "query($id: ID!) { order(id: $id) { id paid } }", "variables": {"id": 5}}"#)
            #expect(answer.status == 200 && answer.text == #"{"data":{"order":{"id":5,"paid":false}}}"#, "\(answer.text)")
        }
    }

    @Test func `an unknown order is an error beside data`() async throws {
        try await withServer { base async throws in
            let answer = try await answer(
                base, #"{"query": "{ order }", "variables": {"id": "99"}}"#, accept: "application/graphql-response+json")
            #expect(answer.status == 200 && answer.json("errors.0.extensions.code") == "NOT_FOUND")
            #expect(answer.json("errors.0.message")?.hasPrefix("There is no order 99") == true)
        }
    }

    @Test func `a body that is not a request is a 400 with errors`() async throws {
        try await withServer { base async throws in
            let answer = try await answer(base, "{}")
            #expect(answer.status == 400 && answer.json("errors.0.message")?.contains("query and variables") == true)
        }
    }
}
