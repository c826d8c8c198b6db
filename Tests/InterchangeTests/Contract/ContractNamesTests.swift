import SortieBase
import SortieHTTP
import SortieStorage
import Testing
import WorkspaceModel

@testable import Interchange

/// Reads the names and values of requests from descriptions.
struct ContractNamesTests {
    private static let document = """
        openapi: 3.1.0
        info: {title: Orders, version: "1"}
        paths:
          /orders/{id}:
            parameters: [{name: id, in: path, required: true, schema: {enum: [first, last]}}]
            post:
              parameters:
                - {name: state, in: query, description: which ones, schema: {type: array, items: {enum: [open, paid]}}}
                - {name: filter, in: query, style: deepObject, schema: {type: object, properties: {city: {type: string}}}}
                - {name: X-Mode, in: header, required: true, schema: {const: fast}}
                - {name: Accept, in: header, schema: {type: string}}
              requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Order"}}}}
              responses: {"200": {description: done}}
        components:
          schemas:
            Order:
              type: object
              required: [lines]
              properties:
                number: {type: integer, readOnly: true}
                created: {type: string, format: date-time}
                lines: {type: array, items: {$ref: "#/components/schemas/Line"}}
                parent: {$ref: "#/components/schemas/Order"}
                payment: {oneOf: [{properties: {card: {type: string}}}, {properties: {iban: {type: string}}}]}
            Line:
              properties: {size: {enum: [S, M, 7]}, gift: {type: boolean, description: "wrapped\n in paper"}}
        """

    private func request(_ path: String, _ method: String = "POST") throws -> DescribedRequest? {
        let contract = try OpenAPIContract(ImportSource(name: "api.yaml", bytes: Array(Self.document.utf8), yaml: YAMLSource.node))
        var endpoint = Endpoint(target: "shop/order", name: "Order", path: path)
        endpoint.method = try #require(HTTPMethod(method))
        return contract.describedRequest(of: endpoint, bases: ["/v1"])
    }

    @Test(arguments: ["/orders/{{id}}", "/v1/orders/{id}?x=1", "{{base}}/orders/:id", "http://localhost:8080/v1/orders/7", "orders/7"])
    func `the operation is found by a path with variables`(path: String) throws {
        let request = try #require(try request(path))
        #expect(request.query.map(\.name) == ["state", "filter[city]"] && request.headers.map(\.name) == ["X-Mode"])
        #expect(request.query[0].summary == "which ones" && request.choices(of: request.query[0]) == [.string("open"), .string("paid")])
        #expect(request.headers[0].isRequired && request.choices(of: request.headers[0]) == [.string("fast")])
        #expect(request.choices(of: request.path[0]) == [.string("first"), .string("last")])
    }

    @Test func `another operation has nothing`() throws {
        #expect(try request("/orders/7", "DELETE") == nil && request("/other") == nil)
    }

    @Test func `members are those that a request may have, at each place of the body, also of a schema that contains itself`() throws {
        let request = try #require(try request("/orders/7"))
        let order = try #require(request.value(at: []))
        #expect(order.members.map(\.name) == ["created", "lines", "parent", "payment"])
        #expect(order.members.filter(\.isRequired).map(\.name) == ["lines"])
        #expect(request.value(at: ["created"])?.type == "date-time" && request.value(at: ["lines"])?.type == "array of object")
        let line = try #require(request.value(at: ["parent", "parent", "lines", nil]))
        #expect(line.members.map(\.name) == ["size", "gift"] && line.members[1].summary == "wrapped in paper")
        #expect(request.value(at: ["lines", nil, "size"])?.choices == [.string("S"), .string("M"), .number("7")])
        #expect(request.value(at: ["payment"])?.members.map(\.name) == ["card", "iban"])
        #expect(request.value(at: ["lines", "size"]) == nil && request.value(at: ["other"]) == nil)
    }
}
