import Testing

@Suite struct GraphQLRoutesTests {
    private func response(_ base: String, _ body: String, accept: String = "application/json") async throws -> Curl {
        try await Curl.run("-H", "Content-Type: application/json", "-H", "Accept: \(accept)", "-d", body, base + "/graphql")
    }

    @Test func `an order has the fields that the query names`() async throws {
        try await withServer { base async throws in
            let response = try await response(base, #"{"query": "query($id: ID!) { order(id: $id) { id paid } }", "variables": {"id": 5}}"#)
            #expect(response.status == 200 && response.text == #"{"data":{"order":{"id":5,"paid":false}}}"#, "\(response.text)")
        }
    }

    @Test func `an unknown order is an error beside data`() async throws {
        try await withServer { base async throws in
            let response = try await response(
                base, #"{"query": "{ order }", "variables": {"id": "99"}}"#, accept: "application/graphql-response+json")
            #expect(response.status == 200 && response.json("errors.0.extensions.code") == "NOT_FOUND")
            #expect(response.json("errors.0.message")?.hasPrefix("There is no order 99") == true)
        }
    }

    @Test func `a body that is not a request is a 400 with errors`() async throws {
        try await withServer { base async throws in
            let response = try await response(base, "{}")
            #expect(response.status == 400 && response.json("errors.0.message")?.contains("query and variables") == true)
        }
    }
}
