import SortieBase
import SortieHTTP
import Testing
import WorkspaceModel

@testable import Interchange

/// Tests importing what browsers copy as `fetch`.
struct FetchImportTests {
    private func imported(_ text: String) throws -> ImportedWorkspace {
        let source = ImportSource(name: "copied", bytes: Array(text.utf8))
        #expect(try ImportFormats.format(of: source).name == "fetch")
        return try FetchImport.workspace(from: source)
    }

    @Test func `fetch is also a member of the global object, but not of others`() throws {
        let workspace = try imported(
            "window.fetch('http://h/one')\nglobalThis.fetch('http://h/two')\napi.fetch('http://h/three'); api.window.fetch('http://h/four')")
        #expect(workspace.endpoints.map(\.path) == ["/one", "/two"])
    }

    @Test func `a call that Chrome copied has its fields, its body and the origin as Referer`() throws {
        let workspace = try imported(
            #"""
            fetch("https://api.example.com/v1/orders?page=1", {
              "headers": {
                "accept": "*/*",
                "content-type": "application/json"
              },
              "referrer": "https://shop.example.com/cart?x=1",
              "referrerPolicy": "strict-origin-when-cross-origin",
              "body": "{\"a\":\"\u00e9\\n\ud83d\ude00\"}",
              "method": "POST",
              "mode": "cors",
              "credentials": "include"
            });
            """#)
        #expect(workspace.services.map(\.service.servers) == [[ImportedService.everywhere: ["https://api.example.com"]]])
        let endpoint = try #require(workspace.endpoints.first)
        #expect(endpoint.method == .post && endpoint.path == "/v1/orders" && endpoint.query == [Parameter("page", "1")])
        #expect(endpoint.headers.contains(Parameter("Referer", "https://shop.example.com/")))
        #expect("\(endpoint.body)".contains("é") && "\(endpoint.body)".contains("😀"), "\(endpoint.body)")
        let lines = workspace.report.lines.joined(separator: "\n")
        #expect(lines.contains("mode: a setting of browsers") && lines.contains("credentials: the cookies"), "\(lines)")
    }

    @Test func `calls of Firefox, of Node and of scripts follow each other`() throws {
        let workspace = try imported(
            """
            await fetch("http://h/one", {"credentials": "omit", "headers": {"cookie": "a=b"}, "method": "GET"});
            fetch('http://h/two', {method: 'put', body: JSON.stringify({a: [1, true, null], 'b': `x`}), headers: new Headers({'Content-Type': "text/x"}),});
            // fetch("http://h/no")
            fetch("http://h/" + "three", { body: new URLSearchParams({a: "1 2", b: "&"}), method: "POST" }) ; fetch("http://h/four")
            """)
        #expect(workspace.endpoints.map(\.path) == ["/one", "/two", "/three", "/four"])
        #expect(workspace.endpoints.map(\.method) == [.get, .put, .post, .get])
        #expect(workspace.endpoints[0].headers == [Parameter("cookie", "a=b")])
        #expect(workspace.endpoints[1].body == .text(#"{"a":[1,true,null],"b":"x"}"#, contentType: "text/x"))
        #expect(workspace.endpoints[2].headers == [Parameter("Content-Type", "application/x-www-form-urlencoded;charset=UTF-8")])
    }

    @Test func `calls between templates with expressions are imported`() throws {
        let workspace = try imported("fetch(`http://h/${a()}`)\nfetch(\"http://h/b\")\nlog(`${c}`)\nfetch('http://h/d')\nfetch(`http://h/${e()}`)")
        #expect(workspace.endpoints.map(\.path) == ["/b", "/d"])
        #expect(workspace.report.entries.filter { $0.outcome == .omitted }.map { $0.place?.line } == [1, 5], "\(workspace.report.lines)")
    }

    @Test(arguments: ["`", "\"", "'"]) func `many escaped quotes in a text that is not closed take linear time`(_ quote: String) throws {
        let workspace = try imported("fetch(\"http://h/b\")\n\(quote)" + String(repeating: "\\\(quote)", count: 200_000))
        #expect(workspace.endpoints.map(\.path) == ["/b"])
    }

    @Test func `a call with expressions is omitted with its place, and the others are imported`() throws {
        let workspace = try imported("fetch(\"http://h/a\", {body: make()});\nfetch(`http://h/${id || 1}`)\nfetch(\"http://h/b\")")
        #expect(workspace.endpoints.map(\.path) == ["/b"])
        #expect(workspace.report.entries.filter { $0.outcome == .omitted }.map { $0.place?.line } == [1, 2], "\(workspace.report.lines)")
    }

    @Test(arguments: ["fetch data from the server", "let x = 1", "prefetch(\"http://h\")", "{\"a\": \"fetch(1)\"}"])
    func `other content is not recognized as fetch`(_ text: String) {
        #expect(!FetchImport.recognizes(ImportSource(name: "x", bytes: Array(text.utf8))))
    }
}
