import SortieBase
import SortieHTTP
import Testing
import WorkspaceModel

@testable import Interchange

/// Tests importing the code of Markdown documents.
struct MarkdownImportTests {
    private func source(_ document: String) -> ImportSource { ImportSource(name: "README.md", bytes: Array(document.utf8)) }

    private func imported(_ document: String) throws -> ImportedWorkspace {
        let source = source(document)
        #expect(try ImportFormats.format(of: source).name == "markdown")
        return try MarkdownImport.workspace(from: source)
    }

    @Test func `apostrophes of the text between blocks do not hide a command`() throws {
        let workspace = try imported("Don't forget:\n\n```bash\ncurl http://h/login -d a=1\n```\n\nIt isn't\n\n~~~\ncurl http://h/list\n~~~\n")
        #expect(workspace.endpoints.map(\.path) == ["/login", "/list"])
        #expect(workspace.report.entries.map(\.outcome) == [.imported, .imported], "\(workspace.report.lines)")
        #expect(workspace.report.entries.map { $0.place?.line } == [4, 10])
    }

    @Test func `a variable of a block has its value in later ones`() throws {
        let workspace = try imported("```sh\nnpm install\nexport BASE=\"http://h\"\nPORT=1 npm start\n```\n\n```sh\ncurl $BASE/a\n```\n")
        #expect(workspace.report.entries.count == 1)
        #expect(workspace.endpoints.map(\.path) == ["/a"] && workspace.services.first?.service.servers.values.first == ["http://h"])
    }

    @Test func `a block in a list and one in a quotation lose their indentation`() throws {
        let list = "1. Send:\n\n   ```http\n   POST http://h/a\n\n   {\n     \"b\": 1\n   }\n   ```\n"
        #expect(try imported(list).endpoints.map(\.body) == [.text("{\n  \"b\": 1\n}", contentType: nil)])
        let quotation = try imported("> ```sh\n> curl http://h/a \\\n>   -H 'X: y'\n> ```\n")
        #expect(quotation.endpoints.map(\.headers) == [[Parameter("X", "y")]])
    }

    @Test func `the output after a prompt is no command`() throws {
        let workspace = try imported("```console\n$ curl http://h/a \\\n    -d '{\n  \"b\": 1}'\n{\"it's\": 1}\n$ curl http://h/c\n```\n")
        #expect(workspace.endpoints.map(\.path) == ["/a", "/c"])
        #expect(workspace.report.entries.map(\.outcome) == [.imported, .imported], "\(workspace.report.lines)")
    }

    @Test func `blocks of other languages are read by their formats, and responses are none`() throws {
        let workspace = try imported(
            """
            ```http
            GET http://h/http
            ```
            ```http
            HTTP/1.1 200 OK
            ```
            ```js
            await fetch("http://h/js");
            ```
            ```python
            requests.get("http://h/py")
            ```
            ```powershell
            Invoke-RestMethod -Uri http://h/ps
            ```
            ```json
            {"curl http://h/json": 1}
            ```
            ```sh
            npm install
            curl http://h/sh
            ```
            """)
        #expect(Set(workspace.endpoints.map(\.path)) == ["/http", "/js", "/py", "/ps", "/sh"], "\(workspace.report.lines)")
        let ids = workspace.services.flatMap(\.items.endpoints).map(\.id)
        #expect(Set(ids).count == 5)
        #expect(workspace.report.entries.filter { $0.outcome == .imported }.compactMap { $0.place?.line }.sorted() == [2, 8, 11, 14, 21])
    }

    @Test func `requests of a document have one separator for each block`() throws {
        let workspace = try imported("```http\n@host = http://h\nGET {{host}}/a\n```\ntext\n```rest\nPOST {{host}}/b\n\nc\n```\n")
        #expect(workspace.endpoints.map(\.path) == ["/a", "/b"] && workspace.endpoints.map(\.method) == [.get, .post])
    }

    @Test func `commands in a paragraph, a table and an indented block are imported, and names of options are none`() throws {
        let text = "Use `curl -v`, then `curl http://h/a`.\n\n| `curl http://h/b` | lists |\n\n    curl http://h/c \\\n      -d x\n"
        let workspace = try imported(text)
        #expect(workspace.endpoints.map(\.path) == ["/a", "/b", "/c"])
    }

    @Test func `a quote that is not closed leaves out its block only`() throws {
        let workspace = try imported("```sh\ncurl \"http://h/a\n```\n\n```sh\ncurl http://h/b\n```\n")
        #expect(workspace.endpoints.map(\.path) == ["/b"])
        #expect(workspace.report.entries.contains { $0.outcome == .omitted && $0.place?.line == 2 })
    }

    @Test func `a document without requests is an error with the remedy`() throws {
        let problem = #expect(throws: Diagnostic.self) { try MarkdownImport.workspace(from: source("# Title\n\n```sh\nls\n```\n")) }
        #expect(problem?.message.contains("no block of code has a curl command") == true)
        #expect(!MarkdownImport.recognizes(source("# curl\n")))
    }
}
