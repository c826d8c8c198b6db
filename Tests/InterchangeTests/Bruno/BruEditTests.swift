import Foundation
import SortieBase
import SortieHTTP
import SortieStorage
import Support
import Testing
import WorkspaceModel

@testable import Interchange

/// Tests changing the request of a `.bru` file, in which all other bytes stay.
struct BruEditTests {
    private static let text = """
        # a comment
        meta {
          name: r
        }

        post {
          url: {{host}}/a/:id?x=1&y={{y}}
          body: json
          auth: bearer
        }

        params:query {
          x: 1
          y: {{y}}
          ~z:   3
        }

        headers {
          Content-Length:  12
          X-A:   1
          // between
          @description("about \\"B\\"")
          X-B: 2
          ~X-Off: {{$randomUUID}}
        }

        auth:bearer {
          token: {{t}}
        }

        body:json {
          {"a": 1}
        }

        tests {
          test("x", () => {});
        }
        """

    private func endpoint(_ text: String) throws -> Endpoint {
        let source = ImportSource(name: "r.bru", bytes: Array(text.utf8))
        return try #require(try BrunoImport.workspace(from: source).services.flatMap(\.items.endpoints).first).endpoint
    }

    /// The lines that a change replaces, by those that take their place.
    private func changed(_ text: String = text, _ change: (inout Endpoint) -> Void) throws -> (old: [String], new: [String]) {
        let original = try endpoint(text)
        var edited = original
        change(&edited)
        let result = try #require(BrunoImport.text(text, changing: 2, from: original, to: edited))
        #expect(try endpoint(result) == edited, "\(result)")
        let lines = [text, result].map { $0.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }.map(String.init) }
        let difference = lines[1].difference(from: lines[0])
        func texts(_ changes: [CollectionDifference<String>.Change]) -> [String] {
            changes.map { change in
                switch change {
                case .insert(_, let line, _), .remove(_, let line, _): line
                }
            }
        }
        return (texts(difference.removals), texts(difference.insertions))
    }

    @Test func `method and URL are changed in their lines, the query also in its block`() throws {
        let (old, new) = try changed {
            $0.method = .put
            $0.query[0].value = "2"
        }
        #expect(old == ["post {", "  url: {{host}}/a/:id?x=1&y={{y}}", "  x: 1", "  ~z:   3"])
        #expect(new == ["put {", "  url: {{host}}/a/:id?x=2&y={{y}}", "  x: 2", "  ~z: 3"])
        #expect(try changed { $0.method = HTTPMethod("PURGE") ?? .get }.new == ["http {", "  method: PURGE"])
    }

    @Test func `fields are changed, added and removed, and a row that is not sent stays`() throws {
        #expect(try changed { $0.headers[0].value = "a b" }.new == ["  X-A: a b"])
        let added = try changed { $0.headers.append(Parameter("X New", "{{$env.A}}", isEnabled: false)) }
        #expect(added.old.isEmpty && added.new == ["  ~\"X New\": {{process.env.A}}"])
        let removed = try changed { $0.headers.remove(at: 1) }
        #expect(removed.old == ["  @description(\"about \\\"B\\\"\")", "  X-B: 2"] && removed.new.isEmpty)
        #expect(try changed { $0.headers[1].isEnabled = false }.new == ["  ~X-B: 2"])
        let bare = "get {\n  url: http://h/\n}"
        #expect(try changed(bare) { $0.headers = [Parameter("A", "1")] }.new == ["", "headers {", "  A: 1", "}"])
    }

    @Test func `credentials and bodies are changed with the words that name them`() throws {
        let basic = try changed { $0.auth = .basic(user: "u", password: "{{p}}") }
        #expect(basic.old == ["  auth: bearer", "auth:bearer {", "  token: {{t}}"])
        #expect(basic.new == ["  auth: basic", "auth:basic {", "  username: u", "  password: {{p}}"])
        let body = try changed { $0.body = .json("{\n\n  \"a\": \"{{$uuid}}\"\n}") }
        #expect(body.old == ["  {\"a\": 1}"] && body.new == ["  {", "", "    \"a\": \"{{$guid}}\"", "  }"])
        let form = try changed { $0.body = .form([Parameter("a", "b c"), Parameter("d", "1\n2", isEnabled: false)]) }
        #expect(
            form.new == ["  body: form-urlencoded", "body:form-urlencoded {", "  a: b c", "  ~d: '''", "    1", "    2", "  '''"])
        let none = try changed { $0.body = .none }
        #expect(Set(none.old) == ["  body: json", "", "body:json {", "  {\"a\": 1}", "}"] && none.old.count == 5 && none.new == ["  body: none"])
    }

    @Test func `the comments of a JSON body stay when another line or the value before them is changed`() throws {
        let body = """
            body:json {
              {
                // first
                "a": 1, // of a
                /* of b */ "b": 2
              }
            }
            """
        let text = Self.text.replacing("body:json {\n  {\"a\": 1}\n}", with: body)
        let result = try changed(text) { $0.body = .json("{\n  \n  \"a\": 7, \n   \"b\": 2,\n  \"c\": 3\n}") }
        #expect(result.old == ["    \"a\": 1, // of a", "    /* of b */ \"b\": 2"], "\(result)")
        #expect(result.new == ["    \"a\": 7, // of a", "     \"b\": 2,", "    \"c\": 3"], "\(result)")
    }

    @Test func `line breaks of Windows and an end without a line break stay`() throws {
        let text = Self.text.replacing("\n", with: "\r\n")
        let original = try endpoint(text)
        var edited = original
        edited.headers[0].value = "9"
        #expect(BrunoImport.text(text, changing: 2, from: original, to: edited) == text.replacing("X-A:   1", with: "X-A: 9"))
    }

    @Test func `a request in YAML is changed in its values, and its comments, other keys and other requests stay`() throws {
        let text = """
            opencollection: "1.0.0"   # the version
            items:
              - info: {name: other, type: http}
                http: {method: GET, url: "http://h/o"}
              - info:
                  name: r
                  type: http
                http:
                  method: POST
                  url: "{{host}}/a/:id?x=1"  # the URL
                  params:
                    - name: x
                      value: "1"
                      type: query
                    - {name: id, value: "7", type: path}
                  headers:
                    - name: X-A
                      value: a
                      description: about
                    # between
                    - name: X-B
                      value: b
                  body:
                    type: json
                    data: |-
                      {"a": 1}
                  auth:
                    type: bearer
                    token: "{{t}}"
                  own: [1, 2]
                docs: text
            """
        func endpoint(_ text: String) throws -> Endpoint {
            let source = ImportSource(name: "c.yml", bytes: Array(text.utf8), yaml: YAMLSource.node)
            return try #require(try BrunoImport.workspace(from: source).services.flatMap(\.items.endpoints).last).endpoint
        }
        let original = try endpoint(text)
        func changed(_ old: String, _ new: String, _ change: (inout Endpoint) -> Void) throws {
            var edited = original
            change(&edited)
            let result = YAMLSource.text(text) { BrunoImport.document($0, changing: 6, from: original, to: edited) }
            #expect(result == text.replacing(old, with: new), "\(result ?? "refused")")
            #expect(try endpoint(#require(result)) == edited)
        }
        try changed("  method: POST", "  method: PUT") { $0.method = .put }
        try changed("value: a\n", "value: \"5\"\n") { $0.headers[0].value = "5" }
        try changed("value: b\n", "value: b\n          disabled: true\n") { $0.headers[1].isEnabled = false }
        try changed("value: b\n", "value: b\n        - {name: X-C, value: \"{{$guid}}\"}\n") { $0.headers.append(Parameter("X-C", "{{$uuid}}")) }
        try changed("{\"a\": 1}", "{\n            \"a\": 2\n          }") { $0.body = .json("{\n  \"a\": 2\n}") }
        try changed("type: bearer\n        token: \"{{t}}\"", "type: basic\n        username: u\n        password: p") {
            $0.auth = .basic(user: "u", password: "p")
        }
        let auth = "      auth:\n        type: bearer\n        token: \"{{t}}\"\n"
        try changed(auth, "") { $0.auth = .none }
        try changed(auth, "      auth: inherit\n") { $0.auth = .inherit }
        try changed("docs: text", "docs: other") { $0.summary = "other" }
        let (url, row) = ("id?x=1\"  # the URL", "value: \"1\"\n          type: query")
        var edited = original
        edited.query[0].value = "2"
        let result = YAMLSource.text(text) { BrunoImport.document($0, changing: 6, from: original, to: edited) }
        #expect(result == text.replacing(url, with: url.replacing("1", with: "2")).replacing(row, with: row.replacing("1", with: "2")))
    }

    @Test func `in files of others, an added field is the only change`() throws {
        let folder = try #require(Corpora.url("bruno"))
        var (all, written) = (0, 0)
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter({ $0.hasSuffix(".bru") }).sorted() {
            let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
            let original: Endpoint
            // Some files are those of folders, environments and collections.
            do { original = try endpoint(text) } catch { continue }
            all += 1
            var edited = original
            edited.headers.append(Parameter("X-Added", "1"))
            guard let result = BrunoImport.text(text, changing: 1, from: original, to: edited) else { continue }
            do {
                let (row, block) = ("  X-Added: 1\n", "\nheaders {\n  X-Added: 1\n}\n")
                let isSame = [row, block].contains { result.replacing($0, with: "") == text }
                if try isSame && endpoint(result) == edited { written += 1 }
            } catch { Issue.record("\(name): \(error)") }
        }
        #expect(all > 20 && written * 10 > all * 8, "\(written) of \(all)")
    }
}
