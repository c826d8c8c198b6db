import SortieBase
import SortieHTTP
import Testing
import WorkspaceModel

@testable import Interchange

/// Tests changing one request of a `.http` file, in which all other bytes stay.
struct HTTPFileEditTests {
    private static let text = """
        @host = http://h

        ### first
        GET {{host}}/a
            ?x=1
            &y={{y}}   HTTP/1.1
        Accept:   text/plain
        # X-Off: 1
        Authorization: Bearer {{t}}

        ###   second   
        # a comment
        POST {{host}}/b
        Content-Type: application/json

        {"a": 1}

        > {% client.log("x") %}

        ### third
        DELETE {{host}}/c
        """

    private func endpoints(_ text: String) throws -> [Endpoint] {
        try HTTPFileImport.workspace(from: ImportSource(name: "api.http", bytes: Array(text.utf8))).services.flatMap(\.items.endpoints).map(
            \.endpoint)
    }

    /// The lines that a change replaces, by those that take their place.
    private func changed(_ index: Int, line: Int, _ change: (inout Endpoint) -> Void) throws -> (old: [String], new: [String]) {
        let original = try endpoints(Self.text)[index]
        var edited = original
        change(&edited)
        let result = try #require(HTTPFileImport.text(Self.text, changing: line, from: original, to: edited))
        #expect(try endpoints(result)[index] == edited, "\(result)")
        let (before, after) = (
            Self.text.split(separator: "\n", omittingEmptySubsequences: false), result.split(separator: "\n", omittingEmptySubsequences: false)
        )
        let difference = after.difference(from: before)
        func lines(_ changes: [CollectionDifference<Substring>.Change]) -> [String] {
            changes.map { change in
                switch change {
                case .insert(_, let line, _), .remove(_, let line, _): String(line)
                }
            }
        }
        return (lines(difference.removals), lines(difference.insertions))
    }

    @Test func `a request line is written without its continuations, and with the server as it is`() throws {
        let (old, new) = try changed(0, line: 4) { $0.query[0].value = "2" }
        #expect(old == ["GET {{host}}/a", "    ?x=1", "    &y={{y}}   HTTP/1.1"] && new == ["GET {{host}}/a?x=2&y={{y}} HTTP/1.1"])
        #expect(try changed(2, line: 21) { $0.method = .put }.new == ["PUT {{host}}/c"])
    }

    @Test func `a comment between the rows of a query stays`() throws {
        let text = "GET http://h/a\n    ?x=1\n#   &y=2\n    &z=3\nAccept: */*\n"
        let original = try #require(try endpoints(text).first)
        var edited = original
        edited.method = .put
        #expect(
            HTTPFileImport.text(text, changing: 1, from: original, to: edited) == "PUT http://h/a?x=1&z=3\n#   &y=2\nAccept: */*\n")
    }

    @Test func `a field of several lines is replaced with all of them`() throws {
        let text = "GET http://h/a\nX-Long: a,\n  b\nAccept: */*\n"
        let original = try #require(try endpoints(text).first)
        var edited = original
        edited.headers[0].value = "c"
        #expect(HTTPFileImport.text(text, changing: 1, from: original, to: edited) == "GET http://h/a\nX-Long: c\nAccept: */*\n")
        edited.headers.removeFirst()
        #expect(HTTPFileImport.text(text, changing: 1, from: original, to: edited) == "GET http://h/a\nAccept: */*\n")
    }

    @Test func `fields are changed, added and removed in their lines`() throws {
        #expect(try changed(0, line: 4) { $0.headers[0].value = "a/b" }.new == ["Accept: a/b"])
        #expect(try changed(0, line: 4) { $0.headers[1].isEnabled = true }.new == ["X-Off: 1"])
        let added = try changed(0, line: 4) { $0.headers.append(Parameter("X-New", "{{$uuid}}")) }
        #expect(added.old.isEmpty && added.new == ["X-New: {{$uuid}}"])
        let removed = try changed(0, line: 4) { $0.headers.removeFirst() }
        #expect(removed.old == ["Accept:   text/plain"] && removed.new.isEmpty)
        #expect(try changed(0, line: 4) { $0.auth = .basic(user: "u", password: "{{p}}") }.new == ["Authorization: Basic u {{p}}"])
    }

    @Test func `a body is changed, added and removed, and what follows it stays`() throws {
        let (old, new) = try changed(1, line: 13) { $0.body = .json("{\n  \"a\": 2\n}") }
        #expect(old == ["{\"a\": 1}"] && new == ["{", "  \"a\": 2", "}"])
        let added = try changed(2, line: 21) {
            $0.body = .text("hi", contentType: nil); $0.removedHeaders = ["Content-Type"]
        }
        #expect(added.new == ["", "hi"])
        #expect(try changed(1, line: 13) { $0.body = .none }.old == ["Content-Type: application/json", "{\"a\": 1}"])
    }

    @Test func `a curl command line is not changed`() throws {
        let text = "### a\ncurl -X POST http://h/a -d x\n"
        let original = try #require(try endpoints(text).first)
        var edited = original
        edited.method = .put
        #expect(HTTPFileImport.text(text, changing: 2, from: original, to: edited) == text)
    }

    @Test func `line breaks of Windows stay`() throws {
        let text = Self.text.replacing("\n", with: "\r\n")
        let original = try endpoints(text)[1]
        var edited = original
        edited.body = .json("{\"a\": 3}")
        #expect(HTTPFileImport.text(text, changing: 13, from: original, to: edited) == text.replacing("{\"a\": 1}", with: "{\"a\": 3}"))
    }
}
