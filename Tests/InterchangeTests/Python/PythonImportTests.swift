import SortieBase
import SortieHTTP
import Testing
import WorkspaceModel

@testable import Interchange

/// Tests importing programs in Python.
struct PythonImportTests {
    private func imported(_ text: String) throws -> ImportedWorkspace {
        let source = ImportSource(name: "copied", bytes: Array(text.utf8))
        #expect(try ImportFormats.format(of: source).name == "python")
        return try PythonImport.workspace(from: source)
    }

    private func omitted(_ workspace: ImportedWorkspace) -> [String] {
        workspace.report.entries.filter { $0.outcome == .omitted }.map { "\($0.place?.line ?? 0) \($0.reason)" }
    }

    @Test func `what Postman generates for requests has its fields and the text of json.dumps`() throws {
        let workspace = try imported(
            #"""
            import requests
            import json

            url = "http://h/gen?x=1"

            payload = json.dumps({
              "a": 1,
              "b": [True, None, "é"]
            })
            headers = {
              'Content-Type': 'application/json',
              'X-A': 'b'
            }

            response = requests.request("POST", url, headers=headers, data=payload)

            print(response.text)
            """#)
        let endpoint = try #require(workspace.endpoints.first)
        #expect(endpoint.method == .post && endpoint.query == [.init("x", "1")] && endpoint.headers.contains(Parameter("X-A", "b")))
        #expect(endpoint.body == .json(#"{"a": 1, "b": [true, null, "\u00e9"]}"#))
    }

    @Test(arguments: [
        ("indent=2", "{\n  \"a\": [\n    1,\n    \"\\u00e9\"\n  ],\n  \"b\": {}\n}"), ("ensure_ascii=False", "{\"a\": [1, \"é\"], \"b\": {}}"),
        ("separators=(',', ':')", "{\"a\":[1,\"\\u00e9\"],\"b\":{}}"),
    ]) func `json.dumps has the layout of its arguments`(_ argument: String, _ text: String) throws {
        let workspace = try imported("import requests, json\nrequests.post('http://h/', data=json.dumps({'a': [1, 'é'], 'b': {}}, \(argument)))")
        #expect("\(try #require(workspace.endpoints.first).body)".contains("\(text.debugDescription)"))
    }

    @Test func `what Postman generates for http.client is sent to its host and port`() throws {
        let workspace = try imported(
            """
            import http.client
            conn = http.client.HTTPSConnection("h", 8443)
            payload = '{"a":1}'
            headers = {'Content-Type': 'application/json'}
            conn.request("PUT", "/c?x=1", payload, headers)
            res = conn.getresponse()
            """)
        #expect(workspace.services.map(\.service.servers) == [[ImportedService.everywhere: ["https://h:8443"]]])
        #expect(workspace.endpoints.first?.body == .json(#"{"a":1}"#))
    }

    @Test func `the methods of requests have their parameters, forms and logins`() throws {
        let workspace = try imported(
            #"""
            import requests as r
            from requests.auth import HTTPDigestAuth
            B = "http://h"
            r.get(B + "/a", params={"q": "a b", "l": [1, 2], "n": None}, headers={"A": f"x{B}", "N": None}, timeout=(1, t()))
            r.post(f"{B}/b", data={"a": "b c", "l": ["1", "2"]})
            r.delete(B + "/c", auth=("u", "p"), allow_redirects=False)
            r.get(B + "/d", auth=HTTPDigestAuth("u", "p"), cookies={"k": "v"})
            r.put(B + "/e", data=open("x.bin", "rb"))
            r.post("%x/lost" % B)
            r.post(B
              + "/f", json=[1.0], verify=False)
            """#)
        let endpoints = workspace.endpoints
        #expect(endpoints.map(\.path) == ["/a", "/b", "/c", "/d", "/e", "/f"])
        #expect(endpoints[0].query.map { "\($0.name)=\($0.value)" } == ["q=a b", "l=1", "l=2"] && endpoints[0].headers == [.init("A", "xhttp://h")])
        #expect(endpoints[1].body == .form([.init("a", "b c"), .init("l", "1"), .init("l", "2")]))
        #expect(endpoints[2].headers.contains(.init("Authorization", "Basic dTpw")) && endpoints[2].redirects == 0)
        #expect(endpoints[3].auth == .digest(user: "u", password: "p") && endpoints[3].headers.contains(.init("Cookie", "k=v")))
        #expect(endpoints[4].body == .file(path: "x.bin", contentType: nil))
        #expect(omitted(workspace).contains { $0.hasPrefix("9 ") }, "\(omitted(workspace))")
    }

    @Test func `a text gets no type, as in requests`() throws {
        let workspace = try imported("import requests\nrequests.put('http://h/', data='x')\nrequests.put('http://h/', json=1)")
        #expect(workspace.endpoints.map(\.removedHeaders) == [["Content-Type"], nil])
    }

    @Test func `a call within brackets goes over lines`() throws {
        let workspace = try imported(
            #"""
            import requests
            r = requests.post(
                "http://h" # the host
                "/f",
                json=[1.0],
            )
            """#)
        #expect(workspace.endpoints.first?.body == .json("[1.0]"))
    }

    @Test func `a session gives its calls fields, parameters and a login`() throws {
        let workspace = try imported(
            #"""
            import requests, httpx
            s = requests.Session()
            s.headers.update({"A": "1", "B": "1"})
            s.headers["C"] = "3"
            s.cookies.set("d", "4", domain="h")
            s.auth = ("u", "p")
            s.get("http://h/a", headers={"B": "2"})
            with httpx.Client(base_url="http://h/v1/", params={"k": "v"}, transport=make()) as client:
                client.post("two", params={"z": 1}, json={"a": "é"})
            """#)
        #expect(workspace.endpoints.map(\.path) == ["/a", "/v1/two"])
        #expect(
            Set(workspace.endpoints[0].headers.map { "\($0.name): \($0.value)" }) == [
                "A: 1", "B: 2", "C: 3", "Cookie: d=4", "Authorization: Basic dTpw",
            ])
        #expect(workspace.endpoints[1].query == [.init("k", "v"), .init("z", "1")])
        #expect(workspace.endpoints[1].body == .json(#"{"a":"é"}"#))
    }

    @Test func `files are parts after the fields`() throws {
        let workspace = try imported(
            #"""
            import requests
            requests.post("http://h/", files={"f": open("x.bin", "rb"), "g": (None, "v"), "h": ("n.txt", "t", "text/x")}, data={"k": "v"})
            """#)
        let expected: [BodyTemplate.Part] = [
            .init(name: "k", value: "v"), .init(name: "f", value: "x.bin", isFile: true), .init(name: "g", value: "v"),
            .init(name: "h", value: "t", fileName: "n.txt", contentType: "text/x"),
        ]
        #expect(workspace.endpoints.first?.body == .multipart(expected), "\(String(describing: workspace.endpoints.first?.body))")
    }

    @Test(arguments: [
        "u = 'http://h/a'\ndef f(u):\n    requests.get(u)", "for u in range(3):\n    requests.get(u)",
        "u = 'http://h/a'\nif x:\n    u = 'http://h/b'\nrequests.get(u)", "u = 'http://h/a'\nu += '?x'\nrequests.get(u)",
        "u = 'http://h/a' if x else 'http://h/b'\nrequests.get(u)", "u, v = 'http://h/a', 1\nrequests.get(u)",
    ]) func `a name whose value depends on what runs is not used`(_ text: String) throws {
        let workspace = try imported("import requests\nrequests.get('http://h/first')\n" + text)
        #expect(workspace.endpoints.map(\.path) == ["/first", "{{u}}"])
    }

    @Test(arguments: [
        "requests.get('http://{:d}/'.format(h))", "requests.get('http://h/', headers=h)", "requests.post('http://h/', files={'f': f})",
        "s = make()\ns.get('http://h/a')", "import urllib.request\nurllib.request.urlopen('http://h/a')",
        "s = requests.Session()\ns.headers.update({'A': make()})\nb = 'http://h'\ns.get(b + '/a')", "requests.get(f'http://h/{1+1}')",
        "s = requests.Session()\ns.cookies.set(k(), 'b')\ns.get('http://h/a')", "requests.get('http://h', **options)",
        "requests.get('http://h', headers=headers())",
    ]) func `a call whose values are not known has a line`(_ text: String) throws {
        let workspace = try imported("import requests\nrequests.get('http://h/first')\n" + text)
        #expect(workspace.endpoints.map(\.path) == ["/first"])
        #expect(!omitted(workspace).isEmpty, "\(workspace.report.lines)")
    }

    @Test func `a name of a function is not that of the program`() throws {
        let workspace = try imported(
            """
            import requests
            u = 'http://h/a'
            def f():
                u = 'http://h/b'
                return requests.get(u)
            requests.get(u)
            if __name__ == '__main__':
                v = 'http://h/c'
                requests.get(v)
            """)
        #expect(workspace.endpoints.map(\.path) == ["/b", "/a", "/c"])
    }

    @Test(arguments: [
        ("'a\\x41\\u00e9\\n\\q\\\nb'", "aAé\n\\qb"), (#"r'\n\''"#, "\\n\\'"), (#"'a' "b""#, "ab"), ("'''a'b\n'''", "a'b\n"), (#"b'\101'"#, "A"),
        (#"f'{{}}'"#, "{}"),
    ]) func `strings have their values`(_ literal: String, _ value: String) throws {
        let workspace = try imported("import requests\nrequests.post('http://h/', data=\(literal), headers={'Content-Type': 'text/x'})")
        #expect(workspace.endpoints.first?.body == .text(Template.quoting(value), contentType: "text/x"))
    }

    @Test func `names whose values double are not known from a size on`() throws {
        let doubling = (1..<60).map { "a\($0) = a\($0 - 1) + a\($0 - 1)" }.joined(separator: "\n")
        let workspace = try imported("import requests\nrequests.get('http://h/first')\na0 = 'http://h/'\n\(doubling)\nrequests.get(a59)")
        #expect(workspace.endpoints.map(\.path) == ["/first", "{{a59}}"], "\(omitted(workspace))")
    }
}
