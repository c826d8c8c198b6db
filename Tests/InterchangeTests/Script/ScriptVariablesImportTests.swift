import SortieBase
import SortieHTTP
import Testing
import WorkspaceModel

@testable import Interchange

/// Tests the import of variables that scripts of collections and folders set before requests.
struct ScriptVariablesImportTests {
    private func postman(_ script: String, auth: String = "null", items: String) throws -> ImportedWorkspace {
        let text = """
            {"info": {"name": "C", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"}, "auth": \(auth),
            "event": [{"listen": "prerequest", "script": {"exec": ["\(script)"]}}], "item": [\(items)]}
            """
        return try PostmanImport.workspace(from: ImportSource(name: "c.json", bytes: Array(text.utf8)))
    }

    @Test func `a variable that a script of the collection sets and no request uses has a line`() throws {
        let items = "{\"name\": \"a\", \"request\": \"https://h/a\"}, {\"name\": \"b\", \"request\": \"https://h/{{used}}\"}"
        let workspace = try postman("pm.variables.set('used', 'x'); pm.globals.set('never', 'y');", items: items)
        #expect(workspace.endpoints.map(\.variables) == [[:], ["used": "x"]])
        #expect(workspace.reasons(.omitted) == ["the script (prerequest) sets never, which no request uses; it is left out"])
    }

    @Test func `a variable in the credentials of the collection is set for the requests that inherit them`() throws {
        let auth = "{\"type\": \"bearer\", \"bearer\": [{\"key\": \"token\", \"value\": \"{{tok}}\"}]}"
        let other = "{\"name\": \"b\", \"request\": {\"auth\": {\"type\": \"noauth\"}, \"url\": \"https://h/b\"}}"
        let items = "{\"name\": \"a\", \"request\": \"https://h/a\"}, \(other)"
        let workspace = try postman("pm.collectionVariables.set('tok', 'abc');", auth: auth, items: items)
        #expect(workspace.endpoints.map(\.variables) == [["tok": "abc"], [:]])
        #expect(workspace.reasons(.omitted).isEmpty && workspace.variables["tok"] == nil, "\(workspace.report.lines)")
    }

    @Test func `the same holds for the scripts and the fields of a collection of Bruno`() throws {
        let files = [
            "bruno.json": "{\"version\": \"1\", \"name\": \"B\", \"type\": \"collection\"}",
            "collection.bru":
                "headers {\n  X: {{own}}\n}\n\nscript:pre-request {\n  bru.setVar('own', '1');\n  bru.setVar('never', '2');\n}\n",
            "a.bru": "meta {\n  name: A\n  type: http\n}\n\nget {\n  url: https://h/a\n  body: none\n  auth: none\n}\n",
        ]
        let source = ImportSource(name: "B", bytes: [], paths: files.keys.sorted(), files: { files[$0].map { Array($0.utf8) } })
        let workspace = try BrunoImport.workspace(from: source)
        #expect(workspace.endpoints.map(\.variables) == [["own": "1"]] && workspace.variables["own"] == nil)
        #expect(workspace.reasons(.omitted).contains { $0.hasSuffix("sets never, which no request uses; it is left out") })
    }

    @Test func `and for those of a folder of Insomnia`() throws {
        let text = """
            {"_type": "export", "__export_format": 4, "resources": [{"_id": "w", "name": "W", "_type": "workspace"},
            {"_id": "f", "parentId": "w", "name": "F", "_type": "request_group", "preRequestScript": "insomnia.environment.set('x', 1);"},
            {"_id": "r", "parentId": "f", "name": "r", "url": "https://h/", "_type": "request"}]}
            """
        let workspace = try InsomniaImport.workspace(from: ImportSource(name: "i.json", bytes: Array(text.utf8)))
        #expect(workspace.reasons(.omitted) == ["the script (pre-request) sets x, which no request uses; it is left out"])
    }
}
