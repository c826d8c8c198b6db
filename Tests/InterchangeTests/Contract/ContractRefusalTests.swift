import SortieBase
import SortieStorage
import Testing

@testable import Interchange

/// Tests the responses with which a mock refuses requests.
struct ContractRefusalTests {
    private func refusal(_ responses: String) throws -> ContractRefusal {
        let text = "openapi: 3.1.0\ninfo: {title: T, version: \"1\"}\npaths: {/x: {get: {responses: {\(responses)}}}}\n"
        let contract = try OpenAPIContract(ImportSource(name: "api.yaml", bytes: Array(text.utf8), yaml: YAMLSource.node))
        return ContractRefusal(of: contract.operations[0], in: contract, message: "wrong", violations: ["a", "b"])
    }

    private func content(_ schema: String, type: String = "application/json") -> String {
        "{description: x, content: {\(type): {schema: \(schema)}}}"
    }

    @Test func `the body is one of the described response, with the message and, where others are permitted, the violations`() throws {
        let open = try refusal(
            "\"400\": \(content("{type: object, required: [code, message], properties: {code: {type: integer}, message: {type: string}}}"))")
        #expect(open.status == 400 && open.body?.compactText == #"{"code":1,"message":"wrong","violations":["a","b"]}"#)
        let closed = "{type: object, additionalProperties: false, properties: {title: {type: string}, detail: {type: string}}}"
        let problem = try refusal("4XX: \(content(closed, type: "application/problem+json")), default: \(content("{}"))")
        #expect(problem.status == 400 && problem.type == "application/problem+json")
        #expect(problem.body?.compactText == #"{"title":"string","detail":"wrong"}"#)
        let details = "{type: object, properties: {status: {type: integer}, title: {type: string}}}"
        let other = try refusal("\"422\": \(content(details, type: "application/problem+json"))")
        #expect(other.body?.compactText == #"{"status":422,"title":"wrong","violations":["a","b"]}"#)
        let listed =
            "{type: object, additionalProperties: false, properties: {detail: {type: array, items: {type: object, properties: {msg: {type: string}}}}}}"
        let nested = try refusal("\"422\": \(content(listed)), \"200\": {description: x}")
        #expect(nested.status == 422 && nested.body?.compactText == #"{"detail":[{"msg":"wrong"}]}"#)
    }

    @Test func `without a described body of JSON there is none, and a text that is too short for the message stays`() throws {
        #expect(try refusal("\"200\": {description: x}").body == nil)
        let text = try refusal("\"422\": {description: x, content: {text/plain: {}}}")
        #expect(text.status == 422 && text.body == nil)
        let short = try refusal(
            "default: \(content("{type: object, additionalProperties: false, properties: {message: {type: string, maxLength: 2}}}"))")
        #expect(short.body?.compactText == #"{"message":"st"}"#)
    }
}
