import SortieHTTP
import SortieStorage
import Testing
import WorkspaceModel

/// Tests that problems of a file are reported with line and column, and that the rest is loaded.
@Suite struct ProblemTests {
    @Test func `the passphrase of a client key is a template, and a literal one in the file is a warning`() throws {
        let named = ["shop/service.yaml": "name: Shop\ntrust:\n  clientCertificate: me.pem\n  clientKeyPassphrase: \"{{keyPass}}\"\n"]
        let workspace = try TemporaryWorkspace(named.merging(["workspace.yaml": "name: W\nsecrets: {keyPass: {env: X}}\n"]) { $1 }).load()
        #expect(workspace.problems.isEmpty && workspace.service("shop")?.trust.clientKeyPassphrase == "{{keyPass}}")
        let warnings = try TemporaryWorkspace.problems(of: named, in: "shop/service.yaml", severity: .warning)
        #expect(warnings.count == 1 && warnings.first?.contains("{{keyPass}}") == true)
        let plain = ["shop/service.yaml": "name: Shop\ntrust: {clientKeyPassphrase: open-sesame}\n"]
        let problems = try TemporaryWorkspace.problems(of: plain, in: "shop/service.yaml", severity: .warning)
        #expect(problems.count == 1 && problems.first?.contains("put it into secrets:") == true && !problems.description.contains("open-sesame"))
    }

    @Test(arguments: [
        ("path: /\nmethd: POST\n", "2:1 unknown key “methd”; did you mean “method”?"),
        ("path: /\nmethod: PUT\ncache: 60s\n", "3:8 responses to PUT are not cached; use cache with GET, HEAD and POST"),
        ("path: /\nredirect: 0\n", "2:1 unknown key “redirect”; did you mean “redirects”?"),
        ("path: /\nauth: {baerer: x}\n", "2:8 unknown key “baerer”; did you mean “bearer”?"),
        ("path: /\nquery:\n  - {name: a, valeu: 1}\n", "3:15 unknown key “valeu”; did you mean “value”?"),
        ("path: /{{nothing}}\n", "1:7 nothing here defines {{nothing}}; define it in the environment, or under variables: of a file"),
        ("path: /{{ids}}\nvariables: {id: 1}\n", "1:7 nothing here defines {{ids}}; did you mean {{id}}?"),
        ("path: /\nheaders: {A: \"{{$uuuid}}\"}\n", "2:14 there is no built-in {{$uuuid}}; did you mean {{$uuid}}?"),
        ("path: /\nheaders: {A: \"{{$uuid x}}\"}\n", "2:14 {{$uuid x}} takes no argument: {{$uuid}}"),
        ("path: /{{env.HOME}}\n", "1:7 nothing here defines {{env.HOME}}; did you mean {{$env.HOME}}?"),
        ("path: /{{$processEnv HOME}}\n", "1:7 there is no built-in {{$processEnv}}; did you mean {{$env.HOME}}?"),
        ("path: /{{$now}}\n", "1:7 there is no built-in {{$now}}; did you mean {{$date}}?"),
        ("path: /{{uuid}}\n", "1:7 nothing here defines {{uuid}}; did you mean {{$uuid}}?"),
        ("path: /{{a:-b}}\n", "1:7 nothing here defines {{a:-b}}; a template has no default, define a under variables: of a file"),
        ("path: /{{}}\n", "1:7 nothing here defines {{}}; write a name between the braces, or {{$braces}} for {{ itself"),
        ("path: /\nparams: {a: 1}\n", "2:1 unknown key “params”; did you mean “query”?"),
        ("path: /\nquery_params: {a: 1}\n", "2:1 unknown key “query_params”; did you mean “query”?"),
        ("path: /\ndata: {a: 1}\n", "2:1 unknown key “data”; write body: {form: …} or body: {text: …}"),
        ("path: /\nsteps: []\n", "2:1 unknown key “steps”; write chain: […] into a file of the folder runs"),
        ("path: /\nquery: [{key: a, name: b}]\n", "2:10 unknown key “key”; did you mean “name”?"),
        ("path: /\nexpect: {statusCode: 200}\n", "2:10 unknown key “statusCode”; did you mean “status”?"),
    ])
    func `a mistake that the file works without is a warning`(text: String, warning: String) throws {
        #expect(try TemporaryWorkspace.problems(inEndpoint: text, severity: .warning).first == warning)
        #expect(try TemporaryWorkspace.endpoint(text) != nil)
    }

    @Test(arguments: [
        (
            "path: /\ncache: 5x\n",
            "2:8 cache must be a duration, not the text “5x”; write a number and ms, s, m, h or d, as in 500ms or 10s"
        ),
        ("path: /\ncache: {for: 60s, on: disc}\n", "2:23 on must be one of memory, disk, not “disc”; did you mean “disk”?"),
        (
            "path: /\ncache: {policy: cacheonly}\n",
            "2:17 policy must be one of use, revalidate, reload, cacheElseLoad, cacheOnly, not “cacheonly”; did you mean “cacheOnly”?"
        ),
        ("path: /\ntimeout: {connect: 0s}\n", "2:20 connect must be longer than 0"), ("path: /\ntimeout: 0\n", "2:10 timeout must be longer than 0"),
        ("path: /\nuploadRate: fast\n", "2:13 uploadRate must be a number of bytes a second such as 2MB, not “fast”"),
        ("path: /\ndownload: {limitRate: fast}\n", "2:23 limitRate must be a number of bytes a second such as 2MB, not “fast”"),
        ("path: /\ndownload: {sha256: abc}\n", "2:20 sha256 must be 64 hexadecimal digits, not “abc”"),
        ("path: /\ndownload: {onExists: keep}\n", "2:22 onExists must be one of replace, keep-both, fail, not “keep”; did you mean “keep-both”?"),
        ("path: /\ndownload: {to: ''}\n", "2:16 to must not be empty; write a file, or a folder with / at its end"),
        (
            "path: /\nkind: dwonload\n",
            "2:7 kind must be one of data, download, upload, webSocket, events, grpc, not “dwonload”; did you mean “download”?"
        ),
        ("path: /\npriority: hihg\n", "2:11 priority must be one of low, normal, high, not “hihg”; did you mean “high”?"),
        ("path: /\nhttp: three\n", "2:7 http must be one of auto, 1.1, 2, not “three”"),
        ("path: /\nredirects: -1\n", "2:12 redirects must be a whole number from 0 to 100, not -1"),
        ("path: /\ncookies: maybe\n", "2:10 cookies must be true or false, not the text “maybe”"),
        (
            "path: /\ninterface: a/b\n",
            "2:12 “a/b” is neither a network interface nor an address; write one such as eth0 or 192.0.2.7"
        ),
        ("path: /\nheaders: {\"a b\": 1}\n", "2:11 the header name “a b” has a character that is not allowed in a name"),
        (
            "path: /\nheaders: {A: \"1\\r\\nB: 2\"}\n",
            "2:11 the value of the header A contains a line break, which would start another header"
        ),
        ("path: /\nquery: [1]\n", "2:9 a row of query must be {name, value}, not 1"),
        ("path: /\nquery: [{value: 1}]\n", "2:9 a row of query has no name"),
        ("path: /\nheaders:\n  a: [1]\n", "3:6 the value of “a” must be text, not a list"),
        (
            "path: /\nauth: {}\n",
            "2:7 auth has no scheme; write one of bearer, basic, digest, ntlm, oauth2, awsSigV4, jwt, apiKey, any, httpSignature, hawk, wsse"
        ),
        ("path: /\nauth: {basic: {user: a}, bearer: b}\n", "2:7 auth has more than one scheme; keep one"),
        ("path: /\nbody: {json: 1, text: a}\n", "2:7 body has json and text; keep one of them"),
        (
            "path: /\nbody: hello\n",
            "2:7 body must have a kind, as in body: {json: …}, {form: …}, {text: …} or {file: …}, not the text “hello”"
        ),
        (
            "path: /\nbody: {multipart: [{name: a, value: b, file: c}]}\n",
            "2:20 the part “a” has a value and a file; keep one of them"
        ),
        ("path: /\nexpect: 200\n", "2:9 expect must be a mapping; write expect: {status: 200}"),
        ("path: /\nauth: digest\n", "2:7 auth needs the values of the scheme; write auth: {digest: …}"),
        ("path: /\nexpect: {status: 99}\n", "2:18 “99” is neither a status nor a range such as 200-299 or 2xx"),
        ("path: /\nretry: {limit: many}\n", "2:16 limit must be a whole number from 0 to 100, not the text “many”"),
        ("path: /\nretry: {parkWhenOffline: yes}\n", "2:26 parkWhenOffline must be true or false, not the text “yes”"),
        ("path: /a{{oops\n", "1:7 “{{oops” is not closed; write }} after the name, or {{$braces}} for {{ itself"),
        ("path: /\nbody: {json: {a: [\"{{oops\"]}}\n", "2:19 “{{oops” is not closed; write }} after the name, or {{$braces}} for {{ itself"),
        ("path: /\nbody: {json: .inf}\n", "2:14 JSON has no number “.inf”; put it into quotes"),
        (
            "path: /\nauth: {basic: {user: 'a:b', password: '{{p}}'}}\n",
            "2:22 auth: basic: the user contains a colon, which ends the name in Basic (RFC 7617); correct it, or use digest"
        ),
    ])
    func `an invalid value is an error and the endpoint is still loaded`(text: String, problem: String) throws {
        #expect(try TemporaryWorkspace.problems(inEndpoint: text) == [problem])
        #expect(try TemporaryWorkspace.endpoint(text) != nil)
    }

    @Test(arguments: [
        ("pth: /orders\n", "1:1 the endpoint has no path, and a key that is unknown; write path: /…, or correct the key"),
        ("path: /\nmethod: GET /\n", "2:9 “GET /” is not a method; write one word such as GET or POST"),
        ("path: http://a:99999/\n", "1:7 “http://a:99999/” is not a URL that can be sent: “99999” is not a port from 1 to 65535"),
        ("- a\n", "1:1 an endpoint must be a mapping with keys such as path; write path: /…"),
        ("# nothing\n", "1:1 an endpoint must be a mapping with keys such as path; write path: /…"),
        ("path: /\nname: a\npath: /b\n", "1:1 the key “path” occurs twice in one mapping; remove one of them"),
        ("path: /\n  a: b: c\n", "2:4 this is not YAML: mapping values are not allowed in this context"),
        ("path: [\n", "2:1 this is not YAML: did not find expected node content while parsing a flow node"),
    ])
    func `an endpoint that would be sent incorrectly is left out`(text: String, problem: String) throws {
        #expect(try TemporaryWorkspace.problems(inEndpoint: text) == [problem])
        #expect(try TemporaryWorkspace.endpoint(text) == nil)
    }

    @Test(arguments: ["method: GET /", "path: http://a:99999/", "path: [/]"])
    func `an endpoint that would be sent incorrectly is checked completely`(line: String) throws {
        let text =
            "query: [1]\nvariables: {id: 1}\nheaders: {A: \"{{id}} {{unknown}}\"}\n" + (line.hasPrefix("path") ? "" : "path: /\n") + line + "\n"
        let problems = try TemporaryWorkspace(["shop/a.yaml": text]).load().problems.map(\.description)
        #expect(problems.contains { $0.contains(":1:9: a row of query must be {name, value}") }, "\(problems)")
        #expect(problems.contains { $0.contains("nothing here defines {{unknown}}") }, "\(problems)")
        #expect(!problems.contains { $0.contains("{{id}}") }, "\(problems)")
        #expect(problems.count == 3, "\(problems)")
    }

    @Test(arguments: [
        (
            "environment: relaese\nenvironments: {release: {}}\n",
            "1:14 there is no environment “relaese”; did you mean “release”?"
        ),
        (
            "secrets: {token: abc}\n",
            "1:18 a workspace must not contain the value of a secret; write {env: NAME}, {command: …}, or {secret: NAME} after sortie secret set NAME"
        ),
        ("environments: [a]\n", "1:15 environments must be a mapping of names to values, not a list"),
        (
            "environments:\n  test: {}\n  test/eu: {}\n",
            "3:3 the name of an environment has no “/”; rename “test/eu” here, and under servers of the services"
        ),
    ])
    func `workspace.yaml is checked`(text: String, problem: String) throws {
        #expect(try TemporaryWorkspace.problems(of: ["workspace.yaml": text], in: "workspace.yaml") == [problem])
    }

    @Test(arguments: [
        ("environments: {dev: {base: http://a}}\n", "1:22 unknown key “base” in an environment; write variables: {base: …}"),
        ("environments: {dev: {vars: {base: http://a}}}\n", "1:22 unknown key “vars”; did you mean “variables”?"),
    ])
    func `an unknown key of an environment is a warning that says where it belongs`(text: String, problem: String) throws {
        #expect(try TemporaryWorkspace.problems(of: ["workspace.yaml": text], in: "workspace.yaml", severity: .warning) == [problem])
    }

    @Test func `a secret in a workspace is not repeated in the message`() throws {
        let problems = try TemporaryWorkspace.problems(of: ["workspace.yaml": "secrets: {token: s3cr3t}\n"], in: "workspace.yaml")
        #expect(problems.count == 1 && !problems.contains { $0.contains("s3cr3t") })
    }

    @Test(arguments: [
        (
            "trust: {pins: [sha256//AAA]}\n",
            "1:16 “sha256//AAA” is not a pin; write sha256// and the base64 of the key's SHA-256, 44 characters"
        ),
        ("trust: {minimumTLS: 1.4}\n", "1:21 minimumTLS must be one of 1.0, 1.1, 1.2, 1.3, not “1.4”; did you mean “1.0”?"),
        ("trust: {pinsExpire: 2027-02-30}\n", "1:21 pinsExpire must be a day such as 2027-01-31, not “2027-02-30”"),
        ("addresses: {static: [localhost]}\n", "1:22 “localhost” is not an IPv4 or IPv6 address"),
        (
            "addresses: {source: sytem}\n",
            "1:21 source must be system, static, or the URL of a DNS over HTTPS server, not “sytem”; did you mean “system”?"
        ),
        ("addresses: {source: static}\n", "1:21 source: static needs the addresses, as static: [ADDRESS, …]"),
        (
            "addresses: {source: 'https://a:99999/'}\n",
            "1:21 “https://a:99999/” is not a URL that can be sent: “99999” is not a port from 1 to 65535"
        ),
        ("addresses: {preresolve: maybe}\n", "1:25 preresolve must be true or false, not the text “maybe”"),
        ("switchServers: {errorRate: 2}\n", "1:28 errorRate must be a number from 0 to 1, not 2"),
        ("switchServers: {field: \"a b\"}\n", "1:24 the header name “a b” has a character that is not allowed in a name"),
        ("trust: {pinMatch: keys}\n", "1:19 pinMatch must be one of key, certificate, not “keys”; did you mean “key”?"),
        ("trust: {pinFiles: {a: b}}\n", "1:19 pinFiles must be a list of texts, not a mapping"),
        ("contract: {mode: fail}\n", "1:11 contract needs openapi: with the path of a document, such as contract: {openapi: api.yaml}"),
        ("contract: {openapi: a.json, mode: strict}\n", "1:35 mode must be one of warn, fail, off, not “strict”"),
        ("validateStatus: 2xx\n", "1:17 validateStatus must be true or false, not the text “2xx”"),
        ("limits: {requests: 0}\n", "1:20 requests must be a whole number from 1 to 10000, not 0"),
        ("servers: {a: 'ftp://x'}\n", "1:14 “ftp://x” is not a URL that can be sent: it must begin with http:// or https://"),
    ])
    func `service.yaml is checked`(text: String, problem: String) throws {
        #expect(try TemporaryWorkspace.problems(of: ["shop/service.yaml": text], in: "shop/service.yaml") == [problem])
    }

    @Test func `a service specifies the minimum TLS version and the end of its pins`() throws {
        let trust = try #require(
            try TemporaryWorkspace(["shop/service.yaml": "trust: {minimumTLS: 1.3, pinsExpire: 2027-01-31}\n"]).load().service("shop")
        ).trust
        #expect(trust.minimumTLS == .tls13)
        #expect(trust.pinsExpire == 1_801_353_600)
    }

    @Test func `a service with malformed or empty pins only trusts no server`() throws {
        for key in ["pins: [nonsense]", "pins: []", "pinFiles: []", "pinFiles: {a: b}", "pinFiles: ['']"] {
            let workspace = try TemporaryWorkspace(["shop/service.yaml": "trust: {\(key)}\n"]).load()
            let policy = try #require(workspace.service("shop")).trust
            #expect(policy.pinFiles.isEmpty && !policy.pins.isEmpty && policy.pins.allSatisfy { TrustPolicy.problem(ofPin: $0) == nil })
        }
    }

    @Test func `a service without any server is a problem where an endpoint needs one, a missing one for some environment is not`() throws {
        let files = [
            "workspace.yaml": "environments: {develop: {}, release: {}}\n",
            "shop/service.yaml": "name: S\nservers: {develop: 'http://a'}\n",
            "shop/a.yaml": "path: /a\n",
        ]
        #expect(try TemporaryWorkspace.problems(of: files, in: "shop/service.yaml") == [])
        let none = files.merging(["shop/service.yaml": "name: S\nservers: {develop: []}\n"]) { $1 }
        let message = "2:10 the service has no server for any environment; add one under servers"
        #expect(try TemporaryWorkspace.problems(of: none, in: "shop/service.yaml", severity: .warning) == [message])
        let absolute = none.merging(["shop/a.yaml": "path: https://b/\n"]) { $1 }
        #expect(try TemporaryWorkspace.problems(of: absolute, in: "shop/service.yaml", severity: .warning) == [])
    }

    @Test func `servers are a warning where an endpoint needs one and the workspace has no environments`() throws {
        let files = ["shop/service.yaml": "name: S\nservers: {default: 'http://a'}\n", "shop/a.yaml": "path: /a\n"]
        let message =
            "2:10 these servers are used only in an environment, and workspace.yaml has none; "
            + "add environments: {default: {}} and environment: default"
        #expect(try TemporaryWorkspace.problems(of: files, in: "shop/service.yaml", severity: .warning) == [message])
        let known = ["workspace.yaml": "environments: {default: {}}\n"].merging(files) { $1 }
        #expect(try TemporaryWorkspace(known).load().problems == [])
    }

    @Test(arguments: [
        ("chain:\n  - send: shop/b\n", "2:11 there is no endpoint “shop/b”; did you mean “shop/a”?"),
        ("chain: []\nbatch: []\n", "1:1 the run has both chain and batch; keep one of them"),
        ("stopOnFailure: true\n", "1:1 the run has neither chain nor batch"),
        ("batch: shop/a\n", "1:8 batch must be a list of {send: TARGET}, not the text “shop/a”"),
        ("batch: [{sned: shop/a}]\n", "1:9 the step has no target; write send: TARGET"),
        ("batch: []\nconcurrency: 0\n", "2:14 concurrency must be a whole number from 1 to 10000, not 0"),
    ])
    func `a run is checked`(text: String, problem: String) throws {
        let files = ["runs/r.yaml": text, "shop/a.yaml": "path: /a\n"]
        #expect(try TemporaryWorkspace.problems(of: files, in: "runs/r.yaml") == [problem])
    }

    @Test func `a name that any layer may define is not a problem`() throws {
        let files = [
            "workspace.yaml": """
            environments: {develop: {variables: {env: 1}}}
            variables: {ws: 1}
            publicParameters: {public: 1}
            secrets: {secret: {env: X}}
            """,
            "shop/service.yaml": "servers: {develop: 'http://a'}\n", "shop/b.yaml": "path: /\ncapture: {captured: $.x}\n",
            "shop/a.yaml":
                "path: /{{env}}{{ws}}{{public}}{{secret}}{{with}}{{step.captured}}{{own}}{{$env.HOME}}{{$date %Y}}\nvariables: {own: 1}\n",
            "runs/r.yaml": "chain:\n  - {send: shop/b, as: step}\n  - {send: shop/a, with: {with: 1}}\n",
        ]
        #expect(try TemporaryWorkspace(files).load().problems.map(\.description) == [])
    }

    @Test func `an invalid file is listed with its intended content and its first error`() throws {
        let workspace = try TemporaryWorkspace([
            "shop/broken.yaml": "path: /\nquery: [\n", "shop/orders/odd.yaml": "path: /\nmethod: [a]\n", "shop/fine.yaml": "path: /\n",
            "other/service.yaml": "name: {\n", "other/get.yaml": "path: http://127.0.0.1/\n", "runs/all.yaml": "chain: 3\n",
        ]).load()
        #expect(
            workspace.unreadable.map(\.content) == [
                .service("other"), .run("all"), .endpoint("shop/broken"), .endpoint("shop/orders/odd"),
            ])
        let places = workspace.unreadable.map { "\($0.problem.location.file):\($0.problem.location.line)" }
        #expect(places == ["other/service.yaml:2", "runs/all.yaml:1", "shop/broken.yaml:3", "shop/orders/odd.yaml:2"])
        #expect(workspace.unreadable.allSatisfy { workspace.problems.contains($0.problem) })
        #expect(workspace.endpoints.map(\.target) == ["other/get", "shop/fine"])
    }

    @Test func `a workspace-yaml that is not YAML is listed`() throws {
        let workspace = try TemporaryWorkspace(["workspace.yaml": "name: [\n", "shop/a.yaml": "path: /\n"]).load()
        #expect(workspace.unreadable.map(\.content) == [.workspace])
    }
}
