import SortieBase
import SortieHTTP
import SortieStorage
import Testing
import WorkspaceModel

@testable import Interchange

/// Tests importing collections of posting.
struct PostingImportTests {
    static let collection: [String: String] = [
        "posting.env": "# settings\nHOST=https://api.example\nexport USER_ID='7'\nbroken line\n",
        "test.env": "HOST=http://127.0.0.1\n",
        "users/get.posting.yaml": """
        name: Get user
        description: Reads one
        method: GET
        url: ${HOST}/users/:id
        headers:
        - name: X-A
          value: $USER_ID costs $$5 {{no}}
        - name: X-Off
          value: y
          enabled: false
        params:
        - name: page
          value: '2'
        path_params:
        - name: id
          value: $USER_ID
        auth:
          type: basic
          basic:
            username: me
            password: $PASSWORD
        scripts:
          on_response: scripts/check.py
        options:
          follow_redirects: false
          verify_ssl: false
          timeout: 1.5
        posting_version: 2.3.0
        """,
        "users/add.posting.yaml": """
        name: Add user
        method: POST
        url: $HOST/users
        body:
          content: '{"name": "$NAME"}'
          content_type: application/json
        posting_version: 2.3.0
        """,
        "form.posting.yaml": """
        method: PUT
        url: $HOST/form
        body:
          form_data:
          - name: a
            value: b
          - name: c
            value: d
            enabled: false
        auth:
          type: bearer_token
          bearer_token:
            token: $TOKEN
        """,
    ]

    private func source(_ files: [String: String]) -> ImportSource {
        ImportSource(
            name: "coll", bytes: [], paths: files.keys.sorted(), yaml: YAMLSource.node, files: { path in files[path].map { Array($0.utf8) } })
    }

    private func endpoints(_ workspace: ImportedWorkspace) -> [String: Endpoint] {
        var result: [String: Endpoint] = [:]
        for var service in workspace.services { service.items.mapEndpoints { result[$0.id] = $0.endpoint } }
        return result
    }

    @Test func `requests have their rows, credentials and options, and variables are templates`() throws {
        #expect(PostingImport.recognizes(source(Self.collection)))
        let workspace = try PostingImport.workspace(from: source(Self.collection))
        let all = endpoints(workspace)
        let get = try #require(all["request users/get.posting.yaml"])
        #expect(get.name == "Get user" && get.summary == "Reads one" && get.path == "/users/:id" && get.variables == ["id": "{{USER_ID}}"])
        #expect(get.headers == [Parameter("X-A", "{{USER_ID}} costs $5 {{$braces}}no}}"), Parameter("X-Off", "y", isEnabled: false)])
        #expect(get.query == [Parameter("page", "2")] && get.auth == .basic(user: "me", password: "{{PASSWORD}}"))
        #expect(get.redirects == 0 && get.timeouts?.total == .milliseconds(1500))
        let add = try #require(all["request users/add.posting.yaml"])
        #expect(add.method == .post && add.body == .json("{\"name\": \"{{NAME}}\"}"))
        let form = try #require(all["request form.posting.yaml"])
        #expect(form.name == "form" && form.body == .form([Parameter("a", "b"), Parameter("c", "d", isEnabled: false)]))
        #expect(form.auth == .bearer(token: "{{TOKEN}}"))
        #expect(workspace.variables["HOST"] == "https://api.example" && workspace.variables["USER_ID"] == "7")
        // What no file defines is asked for.
        #expect(workspace.variables["NAME"] == "{{$prompt NAME}}")
        #expect(workspace.environments == [WorkspaceEnvironment(name: "test", variables: ["HOST": "http://127.0.0.1"])])
        #expect(workspace.services.map(\.service.trust.$isInsecure) == [nil, true])
        // Read as variables, it is none of another format.
        let files = ["a.posting.yaml": "url: http://h\n", "posting.env": "A=1\n", "sub/other.env": "B=1\n"]
        #expect(ImportFormats.otherFiles(in: source(files), than: PostingImport.self).map(\.path) == ["sub/other.env"])
        let lines = workspace.report.lines.joined(separator: "\n")
        #expect(lines.contains("the script on_response is not run: scripts/check.py (users/get.posting.yaml:") && lines.contains("(posting.env:4:1)"))
    }

    @Test(arguments: [
        ("url: [", "x.posting.yaml:"), ("- a\n", "x.posting.yaml:1:1: a request of posting is a mapping with a url"),
        ("url: http://h\nheaders: text\n", "x.posting.yaml:2:10: headers is a list of names and values"),
        ("url: http://h\nmethod: 'A B'\n", "x.posting.yaml:2:9: this is not a method"),
    ]) func `malformed files are errors with their place`(text: String, message: String) {
        #expect {
            try PostingImport.workspace(from: source(["x.posting.yaml": text]))
        } throws: {
            ($0 as? Diagnostic)?.description.hasPrefix(message) == true
        }
    }
}
