import SortieHTTP
import Support
import Testing
import WorkspaceModel

@Suite struct URLTextTests {
    private func endpoint(_ path: String, _ rows: [Parameter] = []) -> Endpoint {
        var endpoint = Endpoint(target: "a/b", name: "b", path: path)
        endpoint.query = rows
        return endpoint
    }

    private func typed(_ text: String, over before: Endpoint? = nil) -> Endpoint {
        var endpoint = before ?? self.endpoint("")
        endpoint.setURL(text)
        return endpoint
    }

    @Test(arguments: [
        "https://a.example/x?page=1&size=20", "/x?a", "/x?a=", "/x?q=a%20b%26c%23d%25e%2Bf", "/x?q=né", "/x?a=1#part",
        "{{base}}/x?id={{id}}&d={{$date a&b=c#d}}", "/{{a?b}}?x={{y=z}}", "/x", "", "/x?a=b=c", "/x?", "/x?&", "/x?=", "/x?#f",
    ])
    func `a URL that was typed is displayed as it was typed`(text: String) {
        #expect(URLText(of: typed(text)).text == text)
    }

    @Test func `a typed query becomes rows with decoded values`() {
        let endpoint = typed("/items?page=1&q=a%20b+c&flag&{{name}}={{value}}")
        #expect(endpoint.path == "/items")
        #expect(endpoint.query.map(\.name) == ["page", "q", "flag", "{{name}}"])
        #expect(endpoint.query.map(\.value) == ["1", "a b+c", "", "{{value}}"])
        #expect(endpoint.query.map(\.isNameOnly) == [false, false, true, false])
    }

    @Test(arguments: [
        ("/x?a=1&&b=2", "/x?a=1&&b=2&z=1"), ("/x?a&", "/x?a&z=1"), ("/x?&a=1", "/x?&a=1&z=1"), ("/x?a=1&&&b#f", "/x?a=1&&&b&z=1#f"),
    ])
    func `empty items of a query in the path are displayed`(path: String, longer: String) {
        #expect(URLText(of: endpoint(path)).text == path)
        // The parameter a in the path replaces the row of its name.
        #expect(URLText(of: endpoint(path, [Parameter("z", "1"), Parameter("a", "2")])).text == longer)
    }

    /// The query that is sent for an endpoint.
    private func sentQuery(_ endpoint: Endpoint) throws -> String? {
        let builder = RequestBuilder(workspace: Workspace(name: "w", folder: "/w"), environment: nil)
        return try builder.request(for: endpoint, in: builder.scope(of: endpoint) { _, _ in nil }).url.query
    }

    @Test(arguments: [
        "t=2024-01-01T12:30:00+02:00", "type=application/pdf", "filter[a]=1&list=a,b", "sig=AbC%2f%2B==", "q=it's", "a=b=c", "a=%2F&a=%2f", "a/b",
        "q=a+b%20c", "x=%41", "x=%7e~", "x=100%", "n=né", "n=n%C3%A9", "j={\"a\":1}", "a=!$()*;:@?", "",
    ])
    func `a typed query is sent with the spelling that it has in a URL`(query: String) throws {
        let url = "http://127.0.0.1/echo?" + query
        #expect(try sentQuery(typed(url)) ?? "" == HTTPURL(parsing: url).query ?? "")
    }

    @Test func `an empty query is sent, and a row takes its place`() throws {
        var endpoint = typed("http://127.0.0.1/echo?")
        #expect(try sentQuery(endpoint) == "")
        endpoint.query = [Parameter("a", "b")]
        #expect(try sentQuery(endpoint) == "a=b")
        #expect(URLText(of: endpoint).text == "http://127.0.0.1/echo?a=b")
    }

    @Test func `an edited row is encoded as usual, and the others keep their spelling`() throws {
        var endpoint = typed("http://127.0.0.1/echo?t=12:30+02:00&type=application/pdf&s=%2f")
        endpoint.query[1].value = "a+b/c"
        #expect(try sentQuery(endpoint) == "t=12:30+02:00&type=a%2Bb%2Fc&s=%2f")
        #expect(URLText(of: endpoint).text == "http://127.0.0.1/echo?t=12:30+02:00&type=a%2Bb%2Fc&s=%2f", "the URL shows what is sent")
        endpoint.setURL("http://127.0.0.1/other?t=12:30+02:00&type=a%2Bb%2Fc&s=%2f")
        #expect(try sentQuery(endpoint) == "t=12:30+02:00&type=a%2Bb%2Fc&s=%2f", "a row whose text stays is not edited")
        endpoint.setURL("http://127.0.0.1/other?t=12:30+02:00&type=a%2Bb/c&s=/")
        #expect(try sentQuery(endpoint) == "t=12:30+02:00&type=a%2Bb/c&s=/", "a character that is typed in place of its encoding is sent as such")
    }

    @Test(arguments: ["a/b", "12:30", "a=b", "[x],(y)", "{\"a\": [1]}", "it's é~", "100% +1 #&"])
    func `a row shows in the URL how it is sent, and the character that replaces its encoding there is sent as such`(value: String) throws {
        let row = Parameter("filter[a]", value)
        let url = URLText(of: endpoint("http://127.0.0.1/echo", [row])).text
        #expect(try sentQuery(endpoint("http://127.0.0.1/echo", [row])) == HTTPURL(parsing: url).query)
        var again = endpoint("http://127.0.0.1/echo", [row])
        again.setURL(url)
        #expect(again.query == [row])
        let retyped = url.replacing("%2F", with: "/").replacing("%3A", with: ":").replacing("%5B", with: "[").replacing("%5D", with: "]")
        again.setURL(retyped)
        #expect(try sentQuery(again) == HTTPURL(parsing: retyped).query)
    }

    @Test func `values of templates are encoded in a row that keeps its spelling`() throws {
        var endpoint = typed("http://127.0.0.1/echo?t={{day}}T12:30+02:00")
        endpoint.variables["day"] = "a&b/c"
        #expect(try sentQuery(endpoint) == "t=a%26b%2FcT12:30+02:00")
    }

    @Test(arguments: ["t=%7B%7Bday%7D%7D", "t=%7b{day}}", "%7B%7bday%7D%7D=1"])
    func `braces that are encoded are text, and no template`(item: String) throws {
        var endpoint = typed("http://127.0.0.1/echo?" + item)
        #expect(endpoint.query.map { Template.unquoting($0.name + $0.value) } == [item.hasPrefix("t") ? "t{{day}}" : "{{day}}1"])
        #expect(URLText(of: endpoint).text.hasSuffix(item))
        endpoint.query[0].spelling = nil
        #expect(try sentQuery(endpoint) == (item.hasPrefix("t") ? "t=%7B%7Bday%7D%7D" : "%7B%7Bday%7D%7D=1"), "after a change")
    }

    @Test func `an encoded brace before a template is text of a row`() throws {
        var endpoint = typed("http://127.0.0.1/echo?t=%7B{{day}}")
        endpoint.variables["day"] = "1"
        #expect(endpoint.query == [Parameter("t", "{{{day}}")])
        #expect(try sentQuery(endpoint) == "t=%7B1")
    }

    @Test(arguments: [UInt64.random(in: 0...UInt64.max)])
    func `random queries are sent as they were typed, also after their displayed text is typed again`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let pieces = ["a", "=", "&", "+", "/", ":", "[", "]", ",", "'", "%2f", "%2F", "%20", "%26", "%", ";", "@", "?", "~", "%7E", "1"]
        for _ in 0..<500 {
            let items = (0..<Int.random(in: 1...3, using: &random)).map { _ in
                "n" + (0..<Int.random(in: 0...6, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
            }
            // An empty item is no row, and one without a name is not sent.
            let query = items.joined(separator: "&").split(separator: "&").filter { !$0.hasPrefix("=") }.joined(separator: "&")
            let url = "http://127.0.0.1/echo?" + query
            var endpoint = typed(url)
            #expect(try sentQuery(endpoint) == HTTPURL(parsing: url).query, "seed \(seed): \(query)")
            endpoint.setURL(URLText(of: endpoint).text)
            #expect(try sentQuery(endpoint) == HTTPURL(parsing: url).query, "seed \(seed): \(query)")
        }
    }

    @Test func `rows that are off and descriptions are kept while the URL is typed`() {
        var rows = [
            Parameter("page", "1", summary: "from 1"), Parameter("debug", "1", isEnabled: false), Parameter("size", "20", summary: "at most 50"),
        ]
        let before = endpoint("/x", rows)
        rows[0].value = "2"
        #expect(typed("/x?page=2&size=20", over: before).query == rows)
        #expect(typed("/x?size=20", over: before).query.map(\.name) == ["debug", "size"])
        let more = typed("/x?page=1&sort=up&size=20", over: before).query
        #expect(more.map(\.name) == ["page", "debug", "sort", "size"])
        #expect(more.map(\.summary) == ["from 1", nil, nil, "at most 50"])
        #expect(typed("/x?page=1&size=20&z=1", over: before).query.map(\.name) == ["page", "debug", "size", "z"])
        #expect(typed("/x", over: before).query.map(\.name) == ["debug"])
    }

    @Test func `a query in the path becomes rows, and what it replaced stays off`() {
        let before = endpoint("/x?page=9", [Parameter("page", "1"), Parameter("size", "20")])
        #expect(URLText(of: before).text == "/x?page=9&size=20")
        let after = typed("/x?page=8&size=20", over: before)
        #expect(after.path == "/x")
        #expect(after.query.filter(\.isEnabled).map(\.name) == ["page", "size"])
        #expect(after.query.filter { !$0.isEnabled }.map(\.value) == ["1"])
    }

    @Test func `a query that is not UTF-8 stays in the path with its bytes`() {
        let endpoint = typed("/x?q=%C7%E0&a=1#f")
        #expect(endpoint.path == "/x?q=%C7%E0&a=1#f")
        #expect(endpoint.query.isEmpty)
    }

    @Test func `any sequence of edits of random rows leads to the URL that was typed last`() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        var endpoint = self.endpoint("/x")
        for _ in 0..<2000 {
            let rows = (0..<Int.random(in: 0...4, using: &random)).map { _ in
                "\(["a", "b", "c"].randomElement(using: &random) ?? "")=\(Int.random(in: 0...2, using: &random))"
            }
            let text = "/x" + (rows.isEmpty ? "" : "?" + rows.joined(separator: "&"))
            if !endpoint.query.isEmpty, Bool.random(using: &random) {
                endpoint.query[Int.random(in: 0..<endpoint.query.count, using: &random)].isEnabled.toggle()
            }
            let off = endpoint.query.filter { !$0.isEnabled }
            endpoint.setURL(text)
            #expect(URLText(of: endpoint).text == text, "seed \(seed)")
            #expect(endpoint.query.filter { !$0.isEnabled } == off, "seed \(seed)")
            if endpoint.query.count > 12 { endpoint.query = [] }
        }
    }

    @Test(arguments: [
        ("example.com", "https://example.com"), (" example.com/x?a=1 ", "https://example.com/x?a=1"), ("localhost:8080/x", "http://localhost:8080/x"),
        ("api.localhost", "http://api.localhost"), ("127.0.0.1", "http://127.0.0.1"), ("[::1]:80/x", "http://[::1]:80/x"), ("nas/x", "http://nas/x"),
        ("nas:443", "https://nas:443"), ("example.com:80", "http://example.com:80"), ("a.example:8443", "https://a.example:8443"),
        ("user:pw@10.0.0.1/x", "http://user:pw@10.0.0.1/x"), ("api.{{domain}}/x", "https://api.{{domain}}/x"),
        ("http://example.com", "http://example.com"), ("HTTPS://x", "HTTPS://x"), ("/path", "/path"), ("?a=1", "?a=1"), ("{{base}}/x", "{{base}}/x"),
        ("", ""), ("http:/example.com/x", "http:/example.com/x"), ("HTTPS:\\\\example.com", "HTTPS:\\\\example.com"),
        ("http:8080", "http://http:8080"),
    ])
    func `a host without a scheme gets the usual one`(text: String, completed: String) {
        #expect(TypedURL.completed(text) == completed)
    }
}
