import SortieBase
import SortieHTTP
import Testing
import WorkspaceModel

@testable import Interchange

/// Tests importing calls of `fetch` and axios whose arguments are names with known values.
struct ScriptNamesImportTests {
    private func imported(_ text: String) throws -> ImportedWorkspace {
        let source = ImportSource(name: "copied", bytes: Array(text.utf8))
        #expect(try ImportFormats.format(of: source).name == "fetch")
        return try FetchImport.workspace(from: source)
    }

    private func omitted(_ workspace: ImportedWorkspace) -> [String] {
        workspace.report.entries.filter { $0.outcome == .omitted }.map { "\($0.place?.line ?? 0) \($0.reason)" }
    }

    @Test func `what Postman generates as fetch has its fields and its body`() throws {
        let workspace = try imported(
            """
            const myHeaders = new Headers();
            myHeaders.append("Content-Type", "application/json");
            myHeaders.append("X-A", "b");
            const raw = JSON.stringify({
              "a": 1
            });
            const requestOptions = {
              method: "POST",
              headers: myHeaders,
              body: raw,
              redirect: "follow"
            };
            fetch("http://h/p", requestOptions)
              .then((response) => response.text());
            """)
        let endpoint = try #require(workspace.endpoints.first)
        #expect(endpoint.method == .post && endpoint.body == .json(#"{"a":1}"#))
        #expect(endpoint.headers.contains(Parameter("X-A", "b")))
    }

    @Test func `what Postman generates as axios has its fields and its body`() throws {
        let workspace = try imported(
            """
            const axios = require('axios');
            let data = JSON.stringify({"a": 1});
            let config = {
              method: 'post',
              maxBodyLength: Infinity,
              url: 'http://h/a',
              headers: { 'Content-Type': 'application/json' },
              data : data
            };
            axios.request(config).then((response) => { console.log(JSON.stringify(response.data)); });
            """)
        let endpoint = try #require(workspace.endpoints.first)
        #expect(endpoint.method == .post && endpoint.path == "/a" && endpoint.body == .json(#"{"a":1}"#))
        #expect(endpoint.headers.contains(Parameter("Accept", "application/json, text/plain, */*")))
    }

    @Test func `calls of axios beside fetch are imported`() throws {
        let workspace = try imported(
            """
            fetch("http://h/f");
            axios.post("http://h/g", {a: 1}, {headers: {"X-A": "b"}});
            axios({method: "put", url: "http://h/h", params: {q: 1, l: ["a", "b c"], o: {x: "y"}, n: null}});
            axios('http://h/i');
            axios.delete("http://h/j?a=1", {params: new URLSearchParams("b=2")});
            """)
        #expect(workspace.endpoints.map(\.method) == [.get, .post, .put, .get, .delete])
        #expect(workspace.endpoints[1].headers.contains(Parameter("X-A", "b")))
        #expect(workspace.endpoints[1].body == .json(#"{"a":1}"#))
        #expect(workspace.endpoints[2].query.map { "\($0.name)=\($0.value)" } == ["q=1", "l[]=a", "l[]=b c", "o[x]=y"])
        #expect(workspace.endpoints[2].query[2].spelling == "l[]=b+c")
        #expect(workspace.endpoints[4].query == [.init("a", "1"), .init("b", "2")])
    }

    @Test(arguments: [
        (
            #"{a: "b c"}, {headers: {"Content-Type": "application/x-www-form-urlencoded"}}"#, BodyTemplate.form([.init("a", "b c")]),
            "application/x-www-form-urlencoded"
        ),
        (#"new URLSearchParams({a: "b c"})"#, .form([.init("a", "b c")]), "application/x-www-form-urlencoded;charset=utf-8"),
        (#"' {"a":1} ', {headers: {"Content-Type": "application/json"}}"#, .json(#"{"a":1}"#), "application/json"),
        (#"'a', {headers: {"Content-Type": "application/json"}}"#, .json(#""a""#), "application/json"),
        (#"'a', {headers: {"Content-Type": "text/x"}}"#, .text("a", contentType: "text/x"), "text/x"),
        (
            #"qs.stringify({a: "b c", d: [1]})"#,
            .text("a=b%20c&d%5B0%5D=1", contentType: "application/x-www-form-urlencoded"), "application/x-www-form-urlencoded"
        ),
    ]) func `the data of axios has the form that its type says`(_ data: String, _ body: BodyTemplate, _ type: String) throws {
        let endpoint = try #require(try imported("axios.post('http://h/', \(data))").endpoints.first)
        #expect(endpoint.body == body)
        #expect(endpoint.headers.contains(Parameter("Content-Type", type)) || "\(body)".contains(type))
    }

    @Test func `an object of axios gives its requests base and fields`() throws {
        let workspace = try imported(
            """
            import axios from 'axios';
            const base = "http://h";
            const api = axios.create({ baseURL: `${base}/v1/`, headers: { 'X-A': 'b' }, httpsAgent: new https.Agent({ rejectUnauthorized: false }) });
            export async function list(page) { return api.get('/list'); }
            const other = axios.create({ baseURL: base() });
            other.get("/lost");
            axios.defaults.headers.common['X-D'] = 'd';
            axios.get(base + "/plain", { auth: { username: "u", password: "p" } });
            """)
        #expect(workspace.endpoints.map(\.path) == ["/v1/list", "/plain"])
        #expect(workspace.endpoints[0].headers.contains(Parameter("X-A", "b")))
        #expect(workspace.endpoints[1].headers.contains(Parameter("X-D", "d")))
        #expect(workspace.endpoints[1].headers.contains(Parameter("Authorization", "Basic dTpw")))
        #expect(omitted(workspace).contains { $0.hasPrefix("6 the options of axios.create have expressions") }, "\(omitted(workspace))")
    }

    @Test func `a form with appended fields and a file is multipart`() throws {
        let workspace = try imported(
            """
            const form = new FormData();
            form.append("a", "b");
            form.append("f", fs.createReadStream("x.png"));
            form.append("g", input.files[0], "y.txt");
            fetch("http://h/", { method: "POST", body: form });
            """)
        let expected: [BodyTemplate.Part] = [
            .init(name: "a", value: "b"), .init(name: "f", value: "x.png", isFile: true), .init(name: "g", value: "y.txt", isFile: true),
        ]
        #expect(workspace.endpoints.first?.body == .multipart(expected), "\(String(describing: workspace.endpoints.first?.body))")
    }

    @Test(arguments: [
        "let u = 'http://h/a'; if (x) { u = 'http://h/b'; }\nfetch(u)",
        "let u = 'http://h/a'; if (x) u = 'http://h/b';\nfetch(u)",
        "const u = 'http://h/a'; function f(u) {\nfetch(u) }",
        "const u = 'http://h/a'; const f = (u) => {\nfetch(u) }",
        "const u = 'http://h/a'; const f = u =>\nfetch(u)",
        "const u = 'http://h/a'; class A { get(u) {\nfetch(u) } }",
        "const u = 'http://h/a'; { const u = make(); \nfetch(u) }",
        "const u = 'http://h/a'; const { u } = make(); \nfetch(u)",
        "for (let i = 0; i < 2; i++) {\nfetch(`http://h/${i}`) }",
        "let u = 'http://h/a'; u += '?x';\nfetch(u)",
        "const h = { a: 'b' }; h.c = 'd';\nfetch('http://h', { headers: h })",
        "const h = { a: 'b' }; h['c'] = 'd';\nfetch('http://h', { headers: h })",
        "const h = new Headers(); h.append(a, b);\nfetch('http://h', { headers: h })",
        "const u = x ? 'http://h/a' : 'http://h/b';\nfetch(u)",
        "const u = 'HTTP://h/a'.toLowerCase();\nfetch(u)",
    ]) func `a name whose value depends on what runs is not used`(_ text: String) throws {
        let workspace = try imported("fetch('http://h/first');\n" + text)
        let others = workspace.endpoints.dropFirst()
        #expect(others.allSatisfy { $0.path.contains("{{") || $0.headers.texts.contains { $0.contains("{{") } }, "\(others.map(\.path))")
        #expect(workspace.report.lines.contains { $0.contains("is not known") }, "\(workspace.report.lines)")
    }

    @Test func `a name has its value in its block and after a function with a parameter of this name`() throws {
        let workspace = try imported(
            """
            const a = 'http://h/a';
            function f() { const a = 'http://h/b'; return fetch(a); }
            fetch('http://h/c').then(a => log(a)).then((a) => { log(a) });
            fetch(a);
            let u = 'http://h/d';
            u = u + '/e';
            if (a) { fetch(u); }
            """)
        #expect(workspace.endpoints.map(\.path) == ["/b", "/c", "/a", "/d/e"])
    }

    @Test(arguments: [
        ("$.ajax({url: 'http://h/'})", "jQuery"), ("x = new XMLHttpRequest()", "XMLHttpRequest"), ("http.get('http://h/')", "k6"),
        ("import got from 'got'; got('http://h/')", "got"),
    ]) func `a call of a client that is not read has a line`(_ call: String, _ name: String) throws {
        let workspace = try imported("fetch('http://h/first');\n\(call)")
        #expect(omitted(workspace).contains { $0.hasPrefix("2 ") && $0.contains(name) }, "\(omitted(workspace))")
    }

    @Test func `names whose values double are not known from a size on`() throws {
        let doubling = (1..<60).map { "const a\($0) = a\($0 - 1) + a\($0 - 1);" }.joined(separator: "\n")
        let workspace = try imported("fetch('http://h/first');\nconst a0 = 'http://h/';\n\(doubling)\nfetch(a59)")
        #expect(workspace.endpoints.map(\.path) == ["/first", "{{a59}}"], "\(omitted(workspace))")
    }

    @Test func `defaults of axios and those of an object of axios.create are separate`() throws {
        let workspace = try imported(
            """
            const axios = require('axios');
            const own = axios.create({baseURL: 'http://own'});
            own.defaults.headers.common['X-Own'] = '1';
            axios.defaults.headers.common.Authorization = 'Bearer t';
            axios.defaults.baseURL = 'http://h';
            axios.get('/a');
            own.get('/b');
            """)
        #expect(workspace.endpoints.map { $0.headers.map(\.name) } == [["Authorization", "Accept"], ["X-Own", "Accept"]])
        #expect(workspace.services.map(\.service.name) == ["h", "own"])
    }

    @Test func `sums are not texts, and an unknown object with a URL has a line`() throws {
        let workspace = try imported(
            """
            fetch('http://h/a', {redirect: 'manual'});
            fetch(`http://h/${1+1}`);
            axios.get('http://h/' + 1e+3 + '-2', {maxRedirects: 0});
            api.get('http://h/c');
            cache.get('c');
            """)
        #expect(workspace.endpoints.map(\.path) == ["/a", "/1e+3-2"] && workspace.endpoints.map(\.redirects) == [0, 0])
        #expect(omitted(workspace) == ["2 sums are not evaluated; write the value", "4 “api” is not known; write the call with axios or fetch"])
    }
}
