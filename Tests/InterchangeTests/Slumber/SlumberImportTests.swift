import SortieBase
import SortieHTTP
import SortieStorage
import Testing
import WorkspaceModel

@testable import Interchange

/// Tests importing collections of slumber, with the tags of the versions to 3 and the functions since version 4.
struct SlumberImportTests {
    private let tagged = """
        profiles:
          local:
            name: Local
            data:
              host: http://127.0.0.1:5000
              name: fish
          live:
            default: true
            data: {host: https://fish.example}
        chains:
          password:
            source: !prompt
              message: Password
            sensitive: true
          token:
            source: !request
              recipe: login
              trigger: !expire 12h
            selector: $.data.token
          home:
            source: !env
              variable: HOME
          who:
            source: !command
              command: [whoami]
        .base: &base
          headers: {Accept: application/json}
        requests:
          users: !folder
            name: Users
            requests:
              me: !request
                <<: *base
                name: Get me
                method: GET
                url: "{{host}}/me"
                query: [a=1, b=x=y]
                authentication: !bearer "{{chains.token}}"
          login: !request
            method: POST
            url: "{{host}}/login"
            authentication: !basic
              username: "{{name}}"
              password: "{{chains.password}}"
            body: !json
              home: "{{chains.home}}"
              who: "{{chains.who}}"
              list: [1, true, null, {"a": "b"}]
          form: !request
            method: PUT
            url: "{{host}}/form"
            body: !form_urlencoded
              a: b c
        """

    private let functions = """
        name: Fishes
        profiles:
          p: {data: {host: "http://h"}}
        requests:
          list:
            method: GET
            url: "{{ host }}/fishes/{{ response('create') | jsonpath('$.id') }}"
            query: {big: true, tag: [a, b]}
            headers:
              X-Env: "{{ env('NAME') }} {{ prompt(message='Which', default='one') }}"
              X-Etag: "{{ response_header('create', 'ETag') }}"
              X-Other: "{{ command(['date']) | trim() }}"
            authentication: {type: bearer, token: "{{ prompt(message='Token', sensitive=true) }}"}
          folder:
            requests:
              create:
                $ref: "#/bases/post"
                url: "{{ host }}/fishes"
                body: {type: json, data: {kind: "{{ kind }}", count: 2}}
              upload:
                $ref: "#/bases/post"
                url: "{{ host }}/image"
                body:
                  type: form_multipart
                  data: {name: A, image: "{{ file('./fish.png') }}"}
              text:
                $ref: "#/bases/post"
                url: "{{ host }}/text"
                headers: {Content-Type: text/plain}
                body: Alfonso
        bases:
          post: {method: POST, persist: false}
        """

    private func source(_ text: String) -> ImportSource {
        ImportSource(name: "slumber.yml", bytes: Array(text.utf8), yaml: YAMLSource.node)
    }

    private func workspace(_ text: String) throws -> ImportedWorkspace {
        #expect(SlumberImport.recognizes(source(text)))
        return try SlumberImport.workspace(from: source(text))
    }

    private func endpoints(_ workspace: ImportedWorkspace) -> [String: Endpoint] {
        var result: [String: Endpoint] = [:]
        for var service in workspace.services { service.items.mapEndpoints { result[$0.id] = $0.endpoint } }
        return result
    }

    @Test func `a chain whose path has other chains several times is asked for`() throws {
        let chains = (0..<30).map { "  c\($0): {source: {path: \"\(String(repeating: "{{chains.c\($0 + 1)}}", count: 10))\"}}" }.joined(
            separator: "\n")
        let workspace = try workspace("chains:\n\(chains)\nrequests:\n  r:\n    method: GET\n    url: \"http://h/{{chains.c0}}\"\n")
        #expect(endpoints(workspace)["request r"]?.path == "/{{$prompt chains.c0}}")
    }

    @Test func `tags, chains and profiles of the first versions are read`() throws {
        let workspace = try workspace(tagged)
        let all = endpoints(workspace)
        #expect(workspace.environments.map(\.name) == ["local", "live"] && workspace.initialEnvironment == "live")
        #expect(workspace.environments[0].variables == ["host": "http://127.0.0.1:5000", "name": "fish"])
        let me = try #require(all["request me"])
        #expect(me.name == "Get me" && me.headers == [Parameter("Accept", "application/json")] && me.auth == .bearer(token: "{{login.token}}"))
        #expect(me.query == [Parameter("a", "1"), Parameter("b", "x=y")])
        guard case .folder("Users", _)? = workspace.services[0].items.first else { throw Missing() }
        let login = try #require(all["request login"])
        #expect(login.auth == .basic(user: "{{name}}", password: "{{$promptSecret Password}}"))
        #expect(login.captures == [Capture(name: "token", path: "$.data.token")])
        guard case .json(let json) = login.body else { throw Missing() }
        #expect(json.contains("\"home\": \"{{$env.HOME}}\"") && json.contains("\"who\": \"{{$prompt chains.who}}\"") && json.contains("null"))
        #expect(all["request form"]?.body == .form([Parameter("a", "b c")]))
        #expect(workspace.runs.map { $0.steps.map(\.name) } == [["login", "me"]])
        #expect(workspace.report.lines.contains { $0.contains("the source of this chain is not run") })
    }

    @Test func `functions and references of later versions are read`() throws {
        let workspace = try workspace(functions)
        let all = endpoints(workspace)
        #expect(workspace.name == "Fishes" && workspace.variables["kind"] == "{{$prompt kind}}")
        let list = try #require(all["request list"])
        #expect(list.path == "/fishes/{{create.id}}")
        #expect(list.query == [Parameter("big", "true"), Parameter("tag", "a"), Parameter("tag", "b")])
        #expect(
            list.headers.map(\.value) == [
                "{{$env.NAME}} {{$prompt Which = one}}", "{{create.ETag}}", "{{$prompt command date trim}}",
            ])
        #expect(list.auth == .bearer(token: "{{$promptSecret Token}}"))
        let create = try #require(all["request create"])
        #expect(create.method == .post && create.captures.map(\.path) == ["$.id", "header ETag"])
        #expect(create.body == .json("{\n  \"kind\": \"{{kind}}\",\n  \"count\": 2\n}"))
        #expect(
            all["request upload"]?.body
                == .multipart([.init(name: "name", value: "A"), .init(name: "image", value: "fish.png", isFile: true)]))
        #expect(all["request text"]?.body == .text("Alfonso", contentType: "text/plain"))
        #expect(workspace.runs.map { $0.steps.map(\.name) } == [["create", "list"]])
    }

    @Test func `the default of an environment variable has a line`() throws {
        let text = "requests:\n  a:\n    type: request\n    method: GET\n    url: \"http://h/{{ env('A', default='z') }}\"\n"
        let workspace = try workspace(text)
        #expect(endpoints(workspace)["request a"]?.path.hasPrefix("/{{$env.A") == true)
        #expect(workspace.reasons(.changed).contains { $0.contains("the default z is left out") }, "\(workspace.report.lines)")
    }

    @Test(arguments: [
        ("requests: 1\nurl: x\nmethod: y\n", "slumber.yml:1:11: there are no requests"),
        ("requests:\n  a: {method: GET}\n# url: method:\n", "slumber.yml:2:6: the recipe a needs a url that is a text"),
        ("requests:\n  a:\n    $ref: '#/b'\n    url: http://h\n", "slumber.yml:3:11: there is nothing at #/b"),
        ("requests:\n  a: &a\n    $ref: '#/requests/a'\n", "slumber.yml:3:11: the reference #/requests/a leads to itself"),
        ("requests:\n  a: {method: 'A B', url: 'http://h'}\n", "slumber.yml:2:15: this is not a method"),
        ("requests:\n  a: [\n", "slumber.yml:"),
    ]) func `malformed collections are errors with their place`(text: String, message: String) {
        #expect {
            try SlumberImport.workspace(from: source(text))
        } throws: {
            ($0 as? Diagnostic)?.description.hasPrefix(message) == true
        }
    }

    private struct Missing: Error {}
}
