import SortieBase
import SortieHTTP
import Testing
import WorkspaceModel

@testable import Interchange

/// Tests importing scripts with names whose values are not known.
struct ScriptVariablesTests {
    private func imported(_ format: any ImportFormat.Type, _ text: String) throws -> ImportedWorkspace {
        try format.workspace(from: ImportSource(name: "script", bytes: Array(text.utf8)))
    }

    private func only(_ format: any ImportFormat.Type, _ text: String) throws -> Endpoint {
        try #require(try imported(format, text).endpoints.first)
    }

    @Test func `names in a call of fetch become variables that are asked for, with their places`() throws {
        let workspace = try imported(
            FetchImport.self,
            """
            fetch(`https://api.example.com/users/${user.id}?q=${encodeURIComponent(term)}`, {
              method: "POST",
              headers: {Authorization: `Bearer ${token}`, "Content-Type": "application/json"},
              body: JSON.stringify({name, id: user.id, list: ["x" + name]}),
            })
            """)
        let endpoint = try #require(workspace.endpoints.first)
        #expect(endpoint.path == "/users/{{userId}}" && endpoint.query == [Parameter("q", "{{term}}")])
        #expect(endpoint.headers.first == Parameter("Authorization", "Bearer {{token}}"))
        #expect(endpoint.body == .json(#"{"name":"{{name}}","id":"{{userId}}","list":["x{{name}}"]}"#))
        #expect(Set(workspace.variables.keys) == ["name", "term", "token", "userId"] && workspace.variables["token"] == "{{$prompt token}}")
        let lines = workspace.report.lines
        #expect(endpoint.name == "POST /users/{user.id}")
        #expect(
            lines.contains {
                $0.contains("“user.id” is not known; the value of {{userId}} is asked for") && $0.contains("remove its quotes")
                    && $0.hasSuffix("(script:1:40)")
            }, "\(lines)")
        #expect(lines.contains { $0.contains("“token”") && !$0.contains("quotes") && $0.hasSuffix("(script:3:38)") }, "\(lines)")
    }

    @Test func `names in a call of requests become variables in each place`() throws {
        let workspace = try imported(
            PythonImport.self,
            """
            import os, requests
            API_KEY = os.environ["API_KEY"]
            requests.post(f"https://h/users/{user.id}", params={"page": page}, cookies={"sid": sid},
                headers={"Authorization": f"Bearer {API_KEY}"}, json={"a": user.id, "b": "x%s-%d" % (name, 5)})
            requests.put("https://h/{}/{what}".format(user_id, what=kind), data={"a": value, "b": os.getenv("B")}, auth=(user, password))
            requests.post("https://h/", json=payload)
            """)
        let endpoints = workspace.endpoints
        #expect(endpoints.map(\.path) == ["/users/{{userId}}", "/{{user_id}}/{{kind}}", "/"])
        #expect(endpoints[0].query == [Parameter("page", "{{page}}")])
        #expect(endpoints[0].headers.contains(Parameter("Cookie", "sid={{sid}}")))
        #expect(endpoints[0].headers.contains(Parameter("Authorization", "Bearer {{$env.API_KEY}}")))
        #expect(endpoints[0].body == .json(#"{"a": "{{userId}}", "b": "x{{name}}-5"}"#))
        #expect(endpoints[1].body == .form([Parameter("a", "{{value}}"), Parameter("b", "{{$env.B}}")]))
        #expect(endpoints[1].auth == .basic(user: "{{user}}", password: "{{password}}"))
        #expect(endpoints[2].body == .json("{{payload}}"))
        #expect(workspace.variables["API_KEY"] == nil)
    }

    @Test func `variables of PowerShell become variables, and those of the environment stay such`() throws {
        let workspace = try imported(
            PowerShellImport.self,
            """
            Invoke-RestMethod "https://h/users/$userId/$($order.id)" -Method Post -Token $env:TOKEN -ContentType application/json `
                -Body (@{ a = $UserID; b = "x$count" } | ConvertTo-Json)
            """)
        let endpoint = try #require(workspace.endpoints.first)
        #expect(endpoint.path == "/users/{{userId}}/{{orderId}}")
        #expect(endpoint.headers.contains(Parameter("Authorization", "Bearer {{$env.TOKEN}}")))
        #expect(endpoint.body == .json(#"{"a":"{{userId}}","b":"x{{count}}"}"#))
    }

    @Test(arguments: [
        ("process.env.KEY", "{{$env.KEY}}"), ("process.env['KEY']", "{{$env.KEY}}"), ("process.env.KEY!", "{{$env.KEY}}"),
        ("import.meta.env.VITE_KEY", "{{$env.VITE_KEY}}"), ("$id", "{{id}}"), ("größe", "{{größe}}"), ("this.token", "{{token}}"),
        ("config.API_KEY", "{{config_API_KEY}}"), ("'{{x}}' + y", "{{$braces}}x}}{{y}}"), ("String(id)", "{{id}}"), ("id.toString()", "{{id}}"),
        ("'{' + id + '}'", "{{{id}}}"),
    ]) func `a name of JavaScript is a valid name of a variable`(_ expression: String, _ value: String) throws {
        let endpoint = try only(FetchImport.self, "fetch('http://h/', {headers: {'X-A': \(expression)}})")
        #expect(endpoint.headers == [Parameter("X-A", value)])
    }

    @Test func `names that would be the same variable have numbers`() throws {
        let endpoint = try only(FetchImport.self, "fetch(`http://h/${user.id}/${userId}/${user.id}`)")
        #expect(endpoint.path == "/{{userId}}/{{userId2}}/{{userId}}")
    }

    @Test(arguments: [
        ("`${BASE}/users/${id}?${query}`", "{{BASE}}", "/users/{{id}}?{{query|raw}}"), ("`${BASE}${path}`", "{{BASE}}", "{{path|raw}}"),
        ("BASE + 'users'", "{{BASE}}", "users"), ("url", "{{url}}", "{{url}}"), ("API + path", "{{API}}", "{{path|raw}}"),
        ("`http://${host}:${port}/a`", "http://{{host}}:{{port}}", "/a"),
        ("`http://localhost:${process.env.PORT}/a`", "http://localhost:{{$env.PORT}}", "/a"),
        ("`${host}:8080/a`", "{{host}}:8080", "/a"), ("`https://${region}.example.com/`", "https://{{region}}.example.com", "/"),
    ]) func `a name is the server or a part of it`(_ url: String, _ server: String, _ path: String) throws {
        let workspace = try imported(FetchImport.self, "fetch(\(url))")
        #expect(workspace.endpoints.map(\.path) == [path])
        #expect(workspace.services.map(\.service.servers) == [[ImportedService.everywhere: [server]]])
    }

    @Test func `requests with the same name as server are in one service`() throws {
        let workspace = try imported(
            FetchImport.self, "const BASE = process.env.BASE;\nfetch(`${BASE}/a`)\naxios.create({baseURL: BASE})\nfetch(BASE + '/b')")
        #expect(workspace.services.count == 1 && workspace.endpoints.map(\.path) == ["/a", "/b"])
    }

    @Test func `names in calls of axios become variables`() throws {
        let workspace = try imported(
            FetchImport.self,
            """
            const api = axios.create({baseURL: process.env.API_URL, headers: {Authorization: `Bearer ${process.env.TOKEN}`}});
            api.get(`/users/${id}`, {params: {page, q: term}});
            api.post("/users", data);
            api.put("/users", {name}, {auth: {username, password}});
            """)
        let endpoints = workspace.endpoints
        #expect(endpoints.map(\.path) == ["/users/{{id}}", "/users", "/users"])
        #expect(endpoints[0].query == [Parameter("page", "{{page}}"), Parameter("q", "{{term}}")])
        #expect(endpoints[0].headers.contains(Parameter("Authorization", "Bearer {{$env.TOKEN}}")))
        #expect(endpoints[1].body == .json("{{data}}") && endpoints[2].body == .json(#"{"name":"{{name}}"}"#))
        #expect(endpoints[2].auth == .basic(user: "{{username}}", password: "{{password}}"))
    }

    @Test func `fields of forms have the names as values`() throws {
        let workspace = try imported(
            FetchImport.self,
            """
            fetch("http://h/a", {method: "POST", body: new URLSearchParams({user, next: "/" + to})});
            const form = new FormData();
            form.append("a", value);
            fetch("http://h/b", {method: "POST", body: form});
            fetch("http://h/c", {headers: {Authorization: "Basic " + btoa(user + ":" + password)}});
            fetch("http://h/d", {method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify(order)});
            """)
        let endpoints = workspace.endpoints
        #expect(endpoints[0].body == .form([Parameter("user", "{{user}}"), Parameter("next", "/{{to}}")]))
        #expect(endpoints[1].body == .multipart([.init(name: "a", value: "{{value}}")]))
        #expect(endpoints[2].auth == .basic(user: "{{user}}", password: "{{password}}"))
        #expect(endpoints[3].body == .json("{{order}}"))
    }

    @Test(arguments: [
        "fetch(`http://h/${id + 1}`)", "fetch(`http://h/${a + b}`)", "fetch(`http://h/${f(id)}`)", "fetch(`http://h/${a ? b : c}`)",
        "fetch(`http://h/${ids[0]}`)", "fetch('http://h/', options)", "fetch('http://h/', {headers})", "fetch('http://h/', {method})",
        "fetch('http://h/', {headers: {A: encodeURIComponent(x)}})", "fetch('http://h/', {headers: {A: btoa(x)}})", "axios(config)",
        "axios.get('http://h/', config)", "fetch('http://h/', {headers: new Headers(h)})", "fetch(`http://h/${i++}`)",
        "fetch(`http://h/${process.env.A || 'b'}`)",
    ]) func `what is no name stays a reason to omit a request`(_ call: String) throws {
        let workspace = try imported(FetchImport.self, "fetch('http://h/first')\n\(call)")
        #expect(workspace.endpoints.map(\.path) == ["/first"])
        let omitted = workspace.report.entries.filter { $0.outcome == .omitted }
        #expect(omitted.map { $0.place?.line } == [2], "\(workspace.report.lines)")
    }

    @Test func `many names in a text take linear time`() throws {
        let text = String(repeating: "${a}x${b.c}", count: 20_000)
        let endpoint = try only(FetchImport.self, "fetch('http://h/', {method: 'POST', headers: {'Content-Type': 'text/x'}, body: `\(text)`})")
        #expect(endpoint.body == .text(String(repeating: "{{a}}x{{bC}}", count: 20_000), contentType: "text/x"))
    }
}
