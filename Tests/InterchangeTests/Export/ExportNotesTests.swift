import SortieBase
import SortieHTTP
import Testing
import WorkspaceModel

@testable import Interchange

/// Tests that exports keep bodies, and name what they cannot keep.
struct ExportNotesTests {
    private func source(_ change: (inout Endpoint) -> Void) throws -> ExportSource {
        try ExportFixture.source(
            ExportFixture.workspace("http://h", [ExportFixture.endpoint("/x", change)]) { $0.variables = ["quote": "a\"b", "blank": "a b"] })
    }

    @Test func `a body of Hurl with carriage returns or three backquotes is written in Base64`() throws {
        let body = "l1\r\nl2 ```\n"
        let text = try HurlExport.text(
            of: source {
                $0.method = .post
                $0.body = .text(body, contentType: "text/plain")
            })
        let workspace = try HurlImport.workspace(from: ImportSource(name: "x.hurl", bytes: Array(text.utf8)))
        #expect(workspace.endpoints.map(\.body) == [.text(body, contentType: "text/plain")], "\(text)")
    }

    @Test func `a row of a form without a name and a value is in no export`() throws {
        let source = try source {
            $0.method = .post
            $0.body = .form([Parameter("a", "1"), Parameter("", ""), Parameter("b", "2")])
        }
        #expect(try HTTPFileExport.text(of: source).contains("\na=1&b=2\n"))
        #expect(try HurlExport.text(of: source).contains("[Form]\na: 1\nb: 2\n") && HurlExport.notes(of: source).isEmpty)
    }

    @Test func `values that a tool inserts into GraphQL and forms as text are named`() throws {
        let graphQL = try source { $0.body = .graphQL(GraphQLTemplate(query: "{a}", variables: "{\"b\": \"{{quote}}\"}")) }
        #expect(try HurlExport.notes(of: graphQL).contains { $0.contains("the values of quote are inserted as text") })
        let form = try source {
            $0.method = .post
            $0.body = .form([Parameter("a", "{{blank}}")])
        }
        #expect(try HTTPFileExport.text(of: form).contains("# Not exported: the values of blank are inserted as text"))
    }

    @Test func `a description names the fields, the type and the body that it does not have`() throws {
        let source = try source {
            $0.method = .post
            $0.headers = [Parameter("A", "1"), Parameter("a", "2"), Parameter("Host", "other")]
            $0.body = .text("[1, 2", contentType: "application/json")
        }
        let notes = try OpenAPIExport.notes(of: source).joined(separator: "\n")
        #expect(notes.contains("only the first of the fields a is described") && notes.contains("the fields Host are not described"))
        #expect(notes.contains("the body is not JSON, and is a text in the example"), "\(notes)")
    }

    @Test func `a body whose type is removed has a line in formats that give it one`() throws {
        let source = try source {
            $0.method = .post
            $0.body = .text("x", contentType: nil)
            $0.removedHeaders = ["Content-Type"]
        }
        #expect(try HARExport.notes(of: source).contains { $0.hasSuffix("a body has a type in an archive") })
        #expect(try OpenAPIExport.notes(of: source).contains { $0.hasSuffix("a body has a type in a description") })
    }
}
