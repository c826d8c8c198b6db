import SortieBase
import Testing
import WorkspaceModel

@testable import SortieStorage

/// Tests the notations of `expect: {status: …}` and `expect: {body: …}`, and the order of conditions.
@Suite struct ExpectedStatusTests {
    private func expectation(
        _ value: String, of key: String = "status"
    ) throws -> (expectation: WorkspaceModel.Expectation?, problems: [String]) {
        let workspace = try TemporaryWorkspace(["shop/a.yaml": "path: /a\nexpect: {\(key): \(value)}\n"])
        let loaded = try workspace.load()
        return (loaded.endpoint("shop/a")?.expectation, loaded.problems.map(\.message))
    }

    @Test(arguments: [
        ("201", [201...201]), ("2xx", [200...299]), ("[200, 201, 3xx]", [200...200, 201...201, 300...399]), ("400-404", [400...404]),
        ("[5XX]", [500...599]),
    ])
    func `a status, a class, a range and a list are read, and written so that they come back`(text: String, ranges: [ClosedRange<Int>]) throws {
        let (found, problems) = try expectation(text)
        let expectation = try #require(found)
        #expect(problems.isEmpty && (expectation.statuses ?? expectation.status.map { [$0...$0] }) == ranges)
        try comesBack(expectation)
    }

    @Test(arguments: [
        ("x", ["x"]), ("{matches: a, shortest: 2}", ["matches a", "shortest 2"]), ("[matches a, matches b]", ["matches a", "matches b"]),
    ])
    func `conditions on the text of the body are read, and written so that they come back`(text: String, conditions: [String]) throws {
        let (found, problems) = try expectation(text, of: "body")
        let expectation = try #require(found)
        #expect(problems.isEmpty && expectation.body.map(\.value) == conditions)
        try comesBack(expectation)
    }

    private func comesBack(_ expectation: WorkspaceModel.Expectation) throws {
        var endpoint = Endpoint(target: "shop/b", name: "b", path: "/b")
        endpoint.expectation = expectation
        let workspace = try TemporaryWorkspace(["shop/a.yaml": "path: /a\n"])
        #expect(try workspace.save(endpoint, replacing: nil).expectation == expectation)
        var unread: [String] = []
        #expect(StoredEndpoint(endpoint).endpoint(&unread)?.expectation == expectation)
    }

    @Test func `conditions on one value with others between them are written together`() throws {
        let rows = [Parameter("$.a", "exists"), Parameter("$.b", "1"), Parameter("$.a", "type string")]
        var endpoint = Endpoint(target: "shop/b", name: "b", path: "/b")
        endpoint.expectation = WorkspaceModel.Expectation(json: rows)
        let workspace = try TemporaryWorkspace(["shop/a.yaml": "path: /a\n"])
        #expect(try workspace.save(endpoint, replacing: nil).expectation?.json == [rows[0], rows[2], rows[1]])
    }

    @Test(arguments: ["99", "6xx", "600", "[]", "[200, x]", "300-200", "xx", "{a: 1}"]) func `other values are named`(text: String) throws {
        #expect(try !expectation(text).problems.isEmpty)
    }
}
