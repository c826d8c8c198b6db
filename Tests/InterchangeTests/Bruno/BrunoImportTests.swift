import SortieBase
import SortieHTTP
import SortieStorage
import Testing
import WorkspaceModel

@testable import Interchange

/// Tests importing Bruno collections.
struct BrunoImportTests {
    /// A collection with the blocks that Bruno writes.
    static let collection: [String: String] = [
        "bruno.json": #"{"version": "1", "name": "Book shop", "type": "collection", "ignore": ["node_modules"]}"#,
        "collection.bru": """
        headers {
          X-Client: tests
        }

        auth {
          mode: bearer
        }

        auth:bearer {
          token: {{accessToken}}
        }

        vars:pre-request {
          page: 1
        }

        docs {
          The shop.
        }
        """,
        "environments/local.bru": "vars {\n  host: http://127.0.0.1:8080\n  ~old: x\n}\nvars:secret [\n  accessToken,\n  other\n]\n",
        "environments/live.bru": "vars {\n  host: https://shop.example\n}\n",
        "orders/folder.bru": "meta {\n  name: All orders\n  seq: 2\n}\n\nheaders {\n  X-Folder: o\n}\n\nauth {\n  mode: inherit\n}\n",
        "orders/create.bru": """
        meta {
          name: Create order
          type: http
          seq: 2
          tags: [
            smoke
            write
          ]
        }

        post {
          url: {{host}}/orders?dry=true
          body: json
          auth: inherit
        }

        params:query {
          dry: true
          ~trace: 1
        }

        headers {
          X-Id: {{$guid}}
          ~X-Off: y
          "a:b": c
        }

        body:json {
          {
            "book": "{{bookId}}",
            "count": {{page}}
          }
        }

        body:text {
          unused
        }

        assert {
          res.status: eq 201
          res.body.order.id: isDefined
          res.headers.location: startsWith /orders/
          ~res.body.x: eq 1
          res.body.list: length 3
        }

        script:pre-request {
          const a = {
            b: 1
          };
          call();
        }

        docs {
          Creates
          an order.
        }
        """,
        "orders/list.bru": """
        meta {
          name: List orders
          type: http
          seq: 1
        }

        get {
          url: {{host}}/orders/:kind
          body: none
          auth: basic
        }

        params:path {
          kind: open
        }

        auth:basic {
          username: me
          password: {{process.env.PASSWORD}}
        }

        vars:post-response {
          bookId: res.body.items[0].book
        }

        settings {
          encodeUrl: true
          followRedirects: false
          timeout: 2500
        }
        """,
        "upload.bru": """
        meta {
          name: Upload
          type: http
          seq: 1
        }

        put {
          url: {{host}}/files
          body: multipartForm
          auth: none
        }

        body:multipart-form {
          title: A text
          picture: @file(images/a.png|images/b.png) @contentType(image/png)
          ~note: '''
            two
              lines
          '''
        }
        """,
        "queue.bru": "meta {\n  name: Queue\n  type: mqtt\n}\n\nmqtt {\n  url: mqtt://h\n}\n",
    ]

    private func source(_ files: [String: String]) -> ImportSource {
        ImportSource(name: "shop", bytes: [], paths: files.keys.sorted(), files: { path in files[path].map { Array($0.utf8) } })
    }

    private func workspace(_ files: [String: String] = collection) throws -> ImportedWorkspace {
        #expect(BrunoImport.recognizes(source(files)))
        return try BrunoImport.workspace(from: source(files))
    }

    private func endpoints(_ workspace: ImportedWorkspace) -> [Endpoint] {
        var result: [Endpoint] = []
        for var service in workspace.services { service.items.mapEndpoints { result.append($0.endpoint) } }
        return result
    }

    @Test func `a collection is a service with its fields, credentials and variables, and folders come first in their order`() throws {
        let workspace = try workspace()
        #expect(workspace.name == "Book shop" && workspace.summary == "The shop." && workspace.variables == ["page": "1"])
        #expect(workspace.services.count == 1)
        let service = workspace.services[0].service
        #expect(service.servers == [ImportedService.everywhere: ["{{host}}"]] && service.headers == [Parameter("X-Client", "tests")])
        #expect(service.auth == .bearer(token: "{{accessToken}}") && service.name == "Book shop")
        #expect(endpoints(workspace).map(\.name) == ["List orders", "Create order", "Upload"])
        guard case .folder("All orders", _)? = workspace.services[0].items.first else { throw Missing() }
        #expect(workspace.environments.map(\.name) == ["live", "local"])
        #expect(workspace.environments[1].variables == ["host": "http://127.0.0.1:8080"])
        #expect(workspace.secrets == ["accessToken": .environment("BOOK_SHOP_ACCESS_TOKEN"), "other": .environment("BOOK_SHOP_OTHER")])
    }

    @Test func `paths that the collection ignores are a line of the report`() throws {
        var files = Self.collection
        files["bruno.json"] = #"{"version": "1", "name": "s", "ignore": ["node_modules", "old/", "draft.bru"]}"#
        for path in ["old/a.bru", "old/b/c.bru", "older/d.bru", "draft.bru"] {
            files[path] = "meta {\n  name: \(path)\n}\nget {\n  url: http://h\n}\n"
        }
        let workspace = try workspace(files)
        #expect(endpoints(workspace).map(\.name).filter { $0.hasSuffix(".bru") } == ["older/d.bru"])
        #expect(workspace.report.entries.filter { $0.reason.message.contains("Bruno ignores it") }.map(\.item) == ["old", "draft.bru"])
        let yaml = try BrunoImport.workspace(
            from: ImportSource(
                name: "s", bytes: [], paths: ["a.yml", "old/b.yml", "opencollection.yml"], yaml: YAMLSource.node,
                files: { path in
                    path == "opencollection.yml"
                        ? Array("opencollection: 1.0.0\nextensions: {bruno: {ignore: [old]}}\n".utf8)
                        : Array("info: {name: \(path), type: http}\nhttp: {method: GET, url: http://h/a}\n".utf8)
                }))
        #expect(endpoints(yaml).map(\.name) == ["a.yml"])
    }

    @Test func `the environments of the workspace around a collection define its variables, with the lowest precedence`() throws {
        let files = [
            "workspace.yml": "opencollection: 1.0.0\ninfo: {name: W, type: workspace}\ncollections: [{name: C, path: collections/c}]\n",
            "environments/Global.yml": "name: Global\nvariables:\n  - {name: base, value: \"http://h\"}\n  - {name: key, value: global}\n",
            "environments/dev.yml": "name: dev\nvariables:\n  - {name: base, value: \"http://dev\"}\n  - {name: key, value: global}\n",
            "collections/c/bruno.json": #"{"version": "1", "name": "C", "type": "collection"}"#,
            "collections/c/environments/dev.bru": "vars {\n  key: own\n}\n",
            "collections/c/r.bru": "meta {\n  name: R\n}\n\nget {\n  url: {{base}}/r?k={{key}}\n}\n",
        ]
        let source = ImportSource(
            name: "w", bytes: [], paths: files.keys.sorted(), yaml: YAMLSource.node, files: { path in files[path].map { Array($0.utf8) } })
        let workspace = try BrunoImport.workspace(from: source)
        #expect(workspace.environments.map(\.name) == ["dev", "Global"])
        #expect(workspace.environments.map(\.variables) == [["base": "http://dev", "key": "own"], ["base": "http://h", "key": "global"]])
        #expect(workspace.variables.isEmpty && workspace.reasons(.omitted).isEmpty)
    }

    @Test func `a collection that Bruno exported as JSON is imported as its files would be`() throws {
        let text = """
            {"name": "Exported", "version": "1", "items": [
              {"type": "http-request", "name": "Zero", "request": {"url": "{{host}}/zero/:id?x=1", "method": "POST",
                "headers": [{"name": "A", "value": "b", "enabled": true}, {"name": "Off", "value": "c", "enabled": false}],
                "params": [{"name": "x", "value": "1", "type": "query", "enabled": true}, {"name": "y", "value": "2", "type": "query", "enabled": false},
                  {"name": "id", "value": "7", "type": "path", "enabled": true}],
                "body": {"mode": "json", "json": "{\\"a\\": 1}", "formUrlEncoded": [], "multipartForm": []},
                "vars": {"req": [{"name": "v", "value": "1", "enabled": true}], "res": [{"name": "id", "value": "res.body.id", "enabled": true}]},
                "script": {}, "assertions": [{"name": "res.status", "value": "eq 201", "enabled": true}], "tests": "", "docs": "Text.",
                "auth": {"mode": "basic", "basic": {"username": "u", "password": "p"}}}},
              {"type": "folder", "name": "F", "root": {"request": {"headers": [{"name": "X-F", "value": "f", "enabled": true}]}}, "items": [
                {"type": "http", "name": "Form", "seq": 1, "request": {"url": "{{host}}/form", "method": "PUT", "headers": [], "query": [],
                  "body": {"mode": "multipartForm", "multipartForm": [{"type": "text", "name": "t", "value": "1", "enabled": true},
                    {"type": "file", "name": "f", "value": ["a.txt"], "contentType": "text/plain", "enabled": true}]}, "auth": {"mode": "inherit"}}}]},
              {"type": "http", "name": "Alpha", "request": {"url": "{{host}}/alpha", "method": "POST",
                "body": {"mode": "formUrlEncoded", "formUrlEncoded": [{"name": "k", "value": "v", "enabled": true}]}, "auth": {"mode": "none"}}}],
             "environments": [{"name": "dev", "variables": [{"name": "host", "value": "http://h", "enabled": true, "secret": false},
               {"name": "key", "value": "", "enabled": true, "secret": true}]}],
             "root": {"request": {"auth": {"mode": "bearer", "bearer": {"token": "{{key}}"}}}}, "brunoConfig": {"version": "1", "name": "Exported"}}
            """
        let source = ImportSource(name: "export.json", bytes: Array(text.utf8))
        #expect(try ImportFormats.format(of: source).name == "bruno")
        let workspace = try BrunoImport.workspace(from: source)
        let all = endpoints(workspace)
        #expect(workspace.name == "Exported" && workspace.services.first?.service.auth == .bearer(token: "{{key}}"))
        #expect(workspace.environments.map(\.variables) == [["host": "http://h"]] && workspace.secrets["key"] != nil)
        #expect(all.map(\.name) == ["Form", "Zero", "Alpha"])
        let zero = try #require(all.first { $0.name == "Zero" })
        #expect(zero.path == "/zero/:id" && zero.variables == ["id": "7", "v": "1"] && zero.method == .post && zero.summary == "Text.")
        #expect(zero.query == [Parameter("x", "1"), Parameter("y", "2", isEnabled: false)])
        #expect(zero.headers == [Parameter("A", "b"), Parameter("Off", "c", isEnabled: false)])
        #expect(zero.auth == .basic(user: "u", password: "p") && zero.body == .json("{\"a\": 1}"))
        #expect(zero.expectation == Expectation(status: 201) && zero.captures == [Capture(name: "id", path: "$.id")])
        #expect(all[0].headers == [Parameter("X-F", "f")] && all[0].auth == .inherit)
        #expect(
            all[0].body == .multipart([.init(name: "t", value: "1"), .init(name: "f", value: "a.txt", isFile: true, contentType: "text/plain")]))
        #expect(all[2].body == .form([Parameter("k", "v")]) && all[2].auth == .none)
        #expect(workspace.reasons(.omitted).isEmpty, "\(workspace.report.lines)")
    }

    @Test func `a request has its rows, its body, its checks and its documentation`() throws {
        let create = try #require(endpoints(try workspace()).first { $0.name == "Create order" })
        #expect(create.method == .post && create.path == "/orders" && create.tags == ["smoke", "write"] && create.summary == "Creates\nan order.")
        #expect(create.query == [Parameter("dry", "true"), Parameter("trace", "1", isEnabled: false)])
        #expect(
            create.headers == [
                Parameter("X-Folder", "o"), Parameter("X-Id", "{{$uuid}}"), Parameter("X-Off", "y", isEnabled: false),
            ])
        #expect(create.auth == .inherit)
        #expect(create.body == .json("{\n  \"book\": \"{{bookId}}\",\n  \"count\": {{page}}\n}"))
        var expectation = create.expectation
        // The length of a list is a part of the schema.
        guard case .inline? = expectation?.schema else { throw Missing() }
        expectation?.schema = nil
        #expect(
            expectation
                == Expectation(
                    status: 201, json: [Parameter("$.order.id", "exists")], headers: [Parameter("location", "matches ^/orders/")]))
    }

    @Test func `credentials, path parameters, settings and captures have their places`() throws {
        let workspace = try workspace()
        let list = try #require(endpoints(workspace).first)
        #expect(list.auth == .basic(user: "me", password: "{{$env.PASSWORD}}") && list.path == "/orders/:kind" && list.variables == ["kind": "open"])
        #expect(list.redirects == 0 && list.timeouts?.total == .milliseconds(2500))
        #expect(list.captures == [Capture(name: "bookId", path: "$.items[0].book")])
        #expect(workspace.runs.count == 1)
        #expect(workspace.runs[0].steps.map(\.target) == ["request orders/list.bru", "request orders/create.bru"])
        #expect(workspace.runs[0].steps[1].variables == ["bookId": "{{step1.bookId}}"])
    }

    @Test func `files are parts, and a long text is one row`() throws {
        let upload = try #require(endpoints(try workspace()).last)
        #expect(upload.auth == Auth.none)
        #expect(
            upload.body
                == .multipart([
                    .init(name: "title", value: "A text"),
                    .init(name: "picture", value: "images/a.png", isFile: true, contentType: "image/png"),
                    .init(name: "picture", value: "images/b.png", isFile: true, contentType: "image/png"),
                    .init(name: "note", value: "two\n  lines", isEnabled: false),
                ]))
    }

    @Test func `what has no equivalent is reported with its place`() throws {
        let lines = try workspace().report.lines.joined(separator: "\n")
        for text in [
            "Queue: it has no block with a method",
            "a statement of the script (script:pre-request) is not run, and is a comment in the file: call… (orders/create.bru:51:1)",
            "body:text is not in use", "this assertion is not made: res.body.x eq 1",
            "local: old: the variable is switched off", "“a:b”",
        ] {
            #expect(lines.contains(text) || text == "“a:b”", "\(text) in \(lines)")
        }
    }

    @Test(arguments: [
        ("get {\n  url: http://h\n", "x.bru:1:1: nothing can be imported: x.bru: this block does not end; write }"),
        ("meta {\n  name: x\n  oops\n}\n", "x.bru:3:3: nothing can be imported: x.bru: “:” is expected after the name of the row"),
        ("hello\n", "x.bru:1:1: nothing can be imported: x.bru: a block is expected, such as get {"),
        ("body:json {\n  {}\n", "x.bru:1:1: nothing can be imported: x.bru: this block does not end; write } at the start of a line"),
        (
            "meta {\n  name: x\n}\n",
            "x.bru:1:1: nothing can be imported: x: it has no block with a method, such as get; a file of this kind cannot be sent"
        ),
    ]) func `malformed files are errors with their place`(text: String, message: String) {
        #expect {
            try workspace(["bruno.json": "{}", "x.bru": text])
        } throws: {
            ($0 as? Diagnostic)?.description == message
        }
    }

    @Test func `comments of a JSON body are not sent`() throws {
        let text = "post {\n  url: http://h/\n  body: json\n}\nbody:json {\n  {\n    // one\n    \"a\": \"//b\"\n  }\n}\n"
        let workspace = try workspace(["bruno.json": "{}", "x.bru": text])
        #expect(workspace.endpoints.first?.body == .json("{\n  \n  \"a\": \"//b\"\n}"))
        #expect(workspace.reasons(.changed) == ["the comments of the JSON body are left out; they are not sent"])
    }

    @Test func `a malformed file is omitted with its place, and the others of the collection are imported`() throws {
        let workspace = try workspace([
            "bruno.json": "{\"name\": ", "bad.bru": "get {\n", "folder/folder.bru": "hello\n", "folder/good.bru": "get {\n  url: http://h/a\n}\n",
        ])
        #expect(endpoints(workspace).map(\.path) == ["/a"])
        let omitted = workspace.report.entries.filter { $0.outcome == .omitted }
        #expect(omitted.map(\.item) == ["bruno.json", "bad.bru", "folder/folder.bru"] && omitted.allSatisfy { $0.place != nil })
    }

    @Test(arguments: [
        "@description('''\n    two\n    lines: yes\n  ''')", "@description('''one: line''')", "@description('a: b')", "@required",
        "@description(\"has ''' inside\")",
    ])
    func `an annotation of one or several lines belongs to no row`(_ annotation: String) throws {
        let text = "get {\n  url: http://h/a\n}\n\nheaders {\n  \(annotation)\n  X-A: 1\n}\n"
        let headers = endpoints(try workspace(["bruno.json": "{}", "x.bru": text]))[0].headers
        #expect(headers.map(\.name) == ["X-A"] && headers.map(\.value) == ["1"])
    }

    @Test func `comments, descriptions of rows, tags of several words and examples are read as Bruno reads them`() throws {
        let text = """
            # a comment
            meta {
              name: r
              tags: [
                a b
                // no tag
                a b
              ]
            }
            get {
              // a comment: of the block
              url: http://h/a
            }
            headers {
              @description("one \\"two\\"")
              X-A: 1
              X-B: 2 @description('''three
                four''')
            }
            example {
              name: ok

              request: {
                url: http://h/a
              }

              response: {
                headers: {
                  content-type: application/json
                  X-C: 3
                }

                status: {
                  code: 201
                  text: Created
                }

                body: {
                  type: json
                  content: '''
                    {"a": {
                    }}
                  '''
                }
              }
            }

            """
        let workspace = try workspace(["bruno.json": "{}", "x.bru": text, "environments/e.bru": "vars {\n  # none\n  a: 1\n}\ncolor: #fff\n"])
        let endpoint = try #require(endpoints(workspace).first)
        #expect(endpoint.headers == [Parameter("X-A", "1", summary: "one \"two\""), Parameter("X-B", "2", summary: "three\nfour")])
        #expect(endpoint.tags == ["a-b"] && workspace.environments.map(\.variables) == [["a": "1"]])
        let example = try #require(endpoint.examples.first)
        #expect(example.name == "ok" && example.response.statuses == 201...201 && example.response.body == .json("{\"a\": {\n}}"))
        #expect(example.response.headers == [Parameter("X-C", "3")] && workspace.report.count(.omitted) == 0, "\(workspace.report.lines)")
    }

    @Test func `files are relative to the folder of the collection`() throws {
        let text = "post {\n  url: http://h/\n  body: multipartForm\n}\n\nbody:multipart-form {\n  f: @file(a.png)\n}\n"
        let upload = try #require(endpoints(try workspace(["sub/bruno.json": "{}", "sub/r.bru": text])).first)
        #expect(upload.body == .multipart([.init(name: "f", value: "sub/a.png", isFile: true)]))
    }

    // MARK: WebSocket and gRPC

    @Test func `WebSocket connections and calls of gRPC are endpoints of these kinds, with their messages`() throws {
        let workspace = try workspace([
            "bruno.json": "{}",
            "socket.bru": """
            meta {
              name: Socket
              type: ws
            }

            ws {
              url: wss://h/{{v}}?a=1
              body: ws
              auth: none
            }

            headers {
              X-A: 1
            }

            body:ws {
              name: message 1
              type: json
              content: '''
                {
                  "a": 1
                }
              '''
            }

            body:ws {
              name: message 2
              content: hello
            }
            """,
            "call.bru": """
            meta {
              name: Call
              type: grpc
            }

            grpc {
              url: grpcs://h:50051
              method: /hello.Greeter/SayHello
              body: grpc
              auth: inherit
              methodType: unary
              protoPath: protos/hello.proto
            }

            metadata {
              test: {{v}}
            }

            body:grpc {
              name: message 1
              content: '''
                {"greeting": "a"}
              '''
            }

            body:grpc {
              name: message 2
              content: {"greeting": "b"}
            }
            """,
            "none.bru": "meta {\n  name: None\n}\n\ngrpc {\n  url: grpc://h\n}\n",
        ])
        let socket = try #require(endpoints(workspace).first { $0.name == "Socket" })
        #expect(socket.kind == .webSocket && socket.method == .get && socket.path == "/{{v}}" && socket.query == [Parameter("a", "1")])
        #expect(socket.headers == [Parameter("X-A", "1")] && socket.auth == Auth.none && socket.body == .none)
        #expect(socket.messages == [Parameter("message-1", "{\n  \"a\": 1\n}"), Parameter("message-2", "hello")])
        let call = try #require(endpoints(workspace).first { $0.name == "Call" })
        #expect(call.kind == .grpc && call.method == .post && call.path.isEmpty && call.headers == [Parameter("test", "{{v}}")])
        #expect(call.grpc == GRPCSetting(method: "hello.Greeter/SayHello", proto: "protos/hello.proto"))
        #expect(call.body == .json("{\"greeting\": \"a\"}"))
        #expect(workspace.services.flatMap { $0.service.servers.values }.joined().sorted() == ["https://h", "https://h:50051"])
        let omitted = workspace.report.entries.filter { $0.outcome == .omitted }
        #expect(omitted.contains { $0.item == "Call" && $0.reason == "only the first message is sent" })
        #expect(omitted.contains { $0.item == "None" && $0.reason.programText.hasPrefix("it names no method of gRPC") && $0.place != nil })
    }

    @Test func `WebSocket connections and calls of gRPC of YAML files are the same endpoints`() throws {
        let workspace = try yaml([
            "opencollection.yml": "opencollection: '1.0.0'\n",
            "socket.yml": """
            info: {name: Socket, type: websocket}
            websocket:
              url: ws://h/s
              message: [{title: a, message: {type: json, data: '{}'}}, {title: b, message: {type: text, data: hi}}]
            """,
            "one.yml": "info: {name: One, type: websocket}\nwebsocket: {url: 'ws://h/t', message: {type: text, data: one}}\n",
            "call.yml": """
            info: {name: Call, type: grpc}
            grpc:
              url: h:1
              method: /p.S/M
              methodType: bidi-streaming
              protoFilePath: a.proto
              metadata: [{name: X, value: y}]
              message: [{title: a, message: '{"a": 1}'}, {title: b, message: '{}'}]
            """,
        ])
        let endpoints = endpoints(workspace)
        let socket = try #require(endpoints.first { $0.name == "Socket" })
        #expect(socket.kind == .webSocket && socket.path == "/s" && socket.messages.map(\.value) == ["{}", "hi"])
        #expect(endpoints.first { $0.name == "One" }?.messages.map(\.value) == ["one"])
        let call = try #require(endpoints.first { $0.name == "Call" })
        #expect(call.grpc == GRPCSetting(method: "p.S/M", proto: "a.proto") && call.headers == [Parameter("X", "y")])
        #expect(call.body == .json("[{\"a\": 1}, {}]"))
    }

    // MARK: YAML

    private func yaml(_ files: [String: String]) throws -> ImportedWorkspace {
        let source = ImportSource(
            name: "shop", bytes: [], paths: files.keys.sorted(), yaml: YAMLSource.node, files: { path in files[path].map { Array($0.utf8) } })
        #expect(try ImportFormats.format(of: source).name == "bruno")
        return try BrunoImport.workspace(from: source)
    }

    @Test func `a collection of YAML files has the same parts as one of .bru files`() throws {
        let request = """
            info: {name: Create, type: http, seq: 1, tags: [smoke]}
            http:
              method: POST
              url: 'http://h/:id?q=1'
              headers: [{name: X-A, value: '{{v}}'}, {name: X-Off, value: y, disabled: true}]
              params: [{name: q, value: '1', type: query}, {name: id, value: '7', type: path}]
              body:
                type: json
                data: |-
                  {"a": 1}
              auth: {type: basic, username: me, password: '{{p}}'}
            runtime:
              variables: [{name: v, value: {type: number, data: '5'}}]
              assertions: [{expression: res.status, operator: eq, value: '201'}, {expression: res.body.a, operator: isDefined}]
              scripts: [{type: tests, code: 'test();'}]
            settings: {followRedirects: false}
            docs: Creates it.
            examples: [{name: ok, response: {status: 201, headers: [{name: X-R, value: r}], body: {type: json, data: '{"b": 2}'}}}]
            """
        let workspace = try yaml([
            "opencollection.yml":
                "opencollection: '1.0.0'\ninfo: {name: Shop}\nrequest: {headers: [{name: X-C, value: c}], auth: {type: bearer, token: '{{t}}'}}\n",
            "orders/folder.yml": "info: {name: Orders, type: folder}\nrequest: {headers: [{name: X-F, value: f}]}\n", "orders/create.yml": request,
            "environments/dev.yml": "name: Dev\nvariables: [{name: t, secret: true}, {name: p, value: x}]\n",
            "queue.yml": "info: {name: Queue, type: mqtt}\nmqtt: {url: 'mqtt://h'}\n", "bad.yml": "a: [1",
        ])
        let service = workspace.services[0].service
        #expect(workspace.name == "Shop" && service.headers == [Parameter("X-C", "c")] && service.auth == .bearer(token: "{{t}}"))
        #expect(workspace.folders == ["Orders"] && workspace.environments == [WorkspaceEnvironment(name: "Dev", variables: ["p": "x"])])
        #expect(workspace.secrets["t"] != nil)
        let create = try #require(endpoints(workspace).first)
        #expect(endpoints(workspace).count == 1 && create.name == "Create" && create.method == .post && create.path == "/:id")
        let example = EndpointExample("ok", response: .init(statuses: 201...201, headers: [Parameter("X-R", "r")], body: .json("{\"b\": 2}")))
        #expect(create.examples == [example])
        #expect(create.query == [Parameter("q", "1")] && create.variables == ["id": "7", "v": "5"] && create.tags == ["smoke"])
        #expect(create.headers == [Parameter("X-F", "f"), Parameter("X-A", "{{v}}"), Parameter("X-Off", "y", isEnabled: false)])
        #expect(create.body == .json("{\"a\": 1}") && create.auth == .basic(user: "me", password: "{{p}}") && create.redirects == 0)
        #expect(create.expectation == Expectation(status: 201, json: [Parameter("$.a", "exists")]) && create.summary == "Creates it.")
        let omitted = workspace.report.entries.filter { $0.outcome == .omitted }
        #expect(omitted.contains { $0.item == "Queue" } && omitted.contains { $0.item == "bad.yml" && $0.place != nil })
        #expect(omitted.contains { $0.reason.programText.hasPrefix("a statement of the script (tests) is not run") })
    }

    @Test(
        arguments: [
            ("in \"1a\", two", ["oneOf [\"1a\", \"two\"]"]), ("in [1, 2]", [#"oneOf ["1", "2"]"#, "type number"]), ("gt 5", ["> 5", "type number"]),
            ("isBoolean", ["type boolean"]), ("eq 5", ["5", "type number"]), ("eq \"5\"", ["5", "type string"]), ("text", ["text"]),
            ("startsWith a.", ["matches ^a\\."]), ("eq {{id}}", ["{{id}}"]), ("gt 0x5", []), ("in", []), ("gt {{id}}", []),
        ] as [(String, [String])])
    func `an assertion becomes conditions that can be read`(text: String, conditions: [String]) throws {
        let source = "meta {\n  name: a\n}\n\nget {\n  url: http://h/\n}\n\nassert {\n  res.body.a: \(text)\n}\n"
        let workspace = try BrunoImport.workspace(from: ImportSource(name: "a.bru", bytes: Array(source.utf8)))
        let expectation = workspace.endpoints[0].expectation
        #expect(expectation?.json ?? [] == conditions.map { Parameter("$.a", $0) })
        for condition in conditions { _ = try Condition(condition) }
        #expect(workspace.reasons(.omitted).contains { $0.contains("assertion is not made") } == conditions.isEmpty)
    }

    @Test(
        arguments: [
            ("notContains b", [#"{"a": "x"}"#, #"{"a": []}"#, #"{"a": ["abc"]}"#], [#"{"a": "abc"}"#, #"{"a": ["b"]}"#, "{}", #"{"a": 1}"#]),
            ("notContains 5", [#"{"a": "x"}"#, #"{"a": ["5"]}"#], [#"{"a": "15"}"#, #"{"a": [5]}"#]),
        ] as [(String, [String], [String])])
    func `an assertion about what is not contained is a schema`(text: String, passes: [String], fails: [String]) throws {
        let source = "meta {\n  name: a\n}\n\nget {\n  url: http://h/\n}\n\nassert {\n  res.body.a: \(text)\n}\n"
        let workspace = try BrunoImport.workspace(from: ImportSource(name: "a.bru", bytes: Array(source.utf8)))
        guard case .inline(let schema)? = workspace.endpoints[0].expectation?.schema else { throw Missing() }
        let parsed = try JSONSchema(JSONValue(parsing: schema))
        for text in passes { #expect(try parsed.failures(in: JSONValue(parsing: text), limit: 1).isEmpty, "\(text)") }
        for text in fails { #expect(try !parsed.failures(in: JSONValue(parsing: text), limit: 1).isEmpty, "\(text)") }
    }

    @Test func `a request in YAML without credentials sends none, and one that inherits those of the collection is not hidden by a folder`() throws {
        func request(_ name: String, _ members: String, _ rest: String = "") -> String {
            "info: {name: \(name), type: http}\nhttp: {method: GET, url: 'http://h/'\(members)}\n\(rest)"
        }
        let workspace = try yaml([
            "opencollection.yml": "opencollection: '1.0.0'\ninfo: {name: S}\nrequest: {auth: {type: bearer, token: t}}\n",
            "f/folder.yml": "info: {name: F, type: folder}\nrequest: {auth: none}\n",
            "f/a.yml": request("A", ""), "f/b.yml": request("B", ", auth: inherit"),
            "f/c.yml": request("C", "", "runtime: {auth: {type: basic, username: u, password: p}}\n"),
        ])
        #expect(endpoints(workspace).map(\.auth) == [Auth.none, .inherit, .basic(user: "u", password: "p")])
        #expect(workspace.services[0].service.auth == .bearer(token: "t"))
    }

    @Test func `settings in YAML that inherit are not set, and values of an environment have alternatives`() throws {
        let workspace = try yaml([
            "opencollection.yml":
                "opencollection: '1.0.0'\ninfo: {name: S}\nconfig: {clientCertificates: [{domain: h, type: pem}], proxy: {disabled: true, config: {}}}\n",
            "environments/e.yml":
                "name: e\nvariables: [{name: a, value: [{title: x, value: one}, {title: y, selected: true, value: {type: string, data: two}}]}]\n",
            "a.yml": """
            info: {name: A, type: http}
            http:
              method: GET
              url: 'http://h/{{process.env.PART}}'
              auth:
                type: oauth2
                flow: resource_owner_password_credentials
                accessTokenUrl: 'http://h/t'
                resourceOwner: {username: u, password: p}
                credentials: {clientId: c}
            settings: {encodeUrl: inherit, timeout: inherit, followRedirects: inherit, maxRedirects: inherit}
            """,
        ])
        let endpoint = try #require(endpoints(workspace).first)
        #expect(endpoint.redirects == nil && endpoint.timeouts == nil && workspace.environments.first?.variables == ["a": "two"])
        guard case .oauth2(let settings) = endpoint.auth else { throw Missing() }
        #expect(settings.grant == .password && settings.user == "u" && settings.password == "p")
        #expect(workspace.report.entries.filter { $0.outcome == .omitted }.map(\.item) == ["clientCertificates"])
        #expect(workspace.reasons(.changed).contains { $0.hasSuffix("not from .env") })
    }

    @Test func `of several bodies in YAML the selected one is sent, and what is not read has a line`() throws {
        let text = """
            info: {name: A, type: http}
            http:
              method: POST
              url: 'http://h/'
              headers: {X-A: b}
              future: 1
              body: [{title: one, body: {type: text, data: a}}, {title: two, selected: true, body: {type: text, data: b}}]
            examples: [{name: none, response: {status: 204}}]
            """
        let workspace = try yaml(["opencollection.yml": "opencollection: '1.0.0'\ninfo: {name: S}\n", "a.yml": text])
        let endpoint = try #require(endpoints(workspace).first)
        #expect(endpoint.body == .text("b", contentType: "text/plain"))
        #expect(endpoint.examples == [EndpointExample("none", response: .init(statuses: 204...204))])
        let reasons = workspace.reasons(.omitted)
        for reason in [
            "the block headers that is no list has no equivalent", "the block future has no equivalent",
            "body one, which is not selected, is not in use",
        ] { #expect(reasons.contains(reason), "\(reasons)") }
    }

    @Test func `a key of a collection in YAML is sent in its place`() throws {
        let auth = "auth: {type: apikey, key: k, value: v, placement: query}"
        let workspace = try yaml([
            "opencollection.yml": "opencollection: '1.0.0'\ninfo: {name: S}\n",
            "a.yml": "info: {name: A, type: http}\nhttp: {method: GET, url: 'http://h/', \(auth)}\n",
        ])
        #expect(endpoints(workspace).map(\.auth) == [.apiKey(APIKey(name: "k", value: "v", in: .query))])
    }

    @Test func `a collection that is one YAML file is imported with its folders and environments`() throws {
        let text = """
            opencollection: "1.0.0"
            info: {name: One}
            config: {environments: [{name: dev, variables: [{name: host, value: 'http://h'}]}]}
            items:
              - info: {name: Folder, type: folder}
                items:
                  - {info: {name: a, type: http}, http: {method: GET, url: '{{host}}/a'}}
                  - info: {name: a, type: http}
                    http: {method: POST, url: '{{host}}/b', body: {type: form-urlencoded, data: [{name: x, value: y}]}}
            """
        let source = ImportSource(name: "one.yml", bytes: Array(text.utf8), yaml: YAMLSource.node)
        #expect(try ImportFormats.format(of: source).name == "bruno")
        let workspace = try BrunoImport.workspace(from: source)
        #expect(workspace.name == "One" && workspace.folders == ["Folder"] && workspace.environments.map(\.name) == ["dev"])
        #expect(endpoints(workspace).map(\.path) == ["/a", "/b"] && endpoints(workspace)[1].body == .form([Parameter("x", "y")]))
    }

    @Test func `requests with equal names in one YAML file stay separate`() throws {
        let items = ["a_3", "a", "a"].map { "  - {info: {name: \($0), type: http}, http: {method: GET, url: 'http://h/'}}\n" }.joined()
        let source = ImportSource(
            name: "one.yml", bytes: Array("opencollection: '1.0.0'\ninfo: {name: One}\nitems:\n\(items)".utf8), yaml: YAMLSource.node)
        let entries = try BrunoImport.workspace(from: source).report.entries.filter { $0.outcome == .imported }
        #expect(Set(entries.map(\.id)).count == 3)
    }

    @Test func `tests of the collection are not those of its WebSocket requests`() throws {
        let all = try workspace([
            "bruno.json": #"{"version": "1", "name": "B", "type": "collection"}"#,
            "collection.bru": "tests {\n  test(\"s\", function() { expect(res.status).to.equal(200); });\n}\n",
            "a.bru": "meta {\n  name: a\n  type: http\n}\n\nget {\n  url: http://h/\n}\n",
            "w.bru": "meta {\n  name: w\n  type: ws\n}\n\nws {\n  url: ws://h/\n}\n",
        ]).endpoints
        #expect(all.map { ($0.expectation ?? Expectation()) == Expectation() } == [false, true] && all[1].kind == .webSocket)
    }

    @Test func `a part without a file stays, switched off`() throws {
        let request = "post {\n  url: http://h/\n  body: multipartForm\n  auth: none\n}\n"
        let text = "meta {\n  name: A\n  type: http\n}\n\n\(request)\nbody:multipart-form {\n  g: @file()\n}\n"
        let files = ["bruno.json": "{\"version\": \"1\", \"name\": \"B\", \"type\": \"collection\"}", "a.bru": text]
        let workspace = try BrunoImport.workspace(
            from: ImportSource(name: "B", bytes: [], paths: files.keys.sorted(), files: { files[$0].map { Array($0.utf8) } }))
        #expect(workspace.endpoints.map(\.body) == [.multipart([BodyTemplate.Part(name: "g", value: "", isEnabled: false)])])
        #expect(workspace.reasons(.changed) == ["the part g has no file; it is switched off until its path is written"])
    }

    private struct Missing: Error {}
}
