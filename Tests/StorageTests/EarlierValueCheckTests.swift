import SortieBase
import Testing
import WorkspaceModel

@testable import SortieStorage

/// Tests the warnings about endpoints that need captured values of each other.
@Suite struct EarlierValueCheckTests {
    private func problems(_ files: [String: String]) throws -> [String] {
        try TemporaryWorkspace(files).load().problems.map(\.description)
    }

    @Test func `a circle of endpoints is reported once, at its first use`() throws {
        let problems = try problems([
            "s/service.yaml": "name: S\n",
            "s/a.yaml": "path: /a?v={{b.x}}\ncapture: {x: $.x}\n", "s/b.yaml": "path: /b?v={{s/c.x}}\ncapture: {x: $.x}\n",
            "s/c.yaml": "path: /c?v={{a.x}}\ncapture: {x: $.x}\n", "s/d.yaml": "path: /d?v={{a.x}}\ncapture: {x: $.x}\n",
        ])
        #expect(
            problems == [
                "s/a.yaml:1:7: s/a needs a value of s/b, which needs one of s/c, which needs one of s/a; outside of a run none of them can "
                    + "be sent"
            ])
    }

    @Test func `an endpoint that needs its own value is reported`() throws {
        let problems = try problems(["s/service.yaml": "name: S\n", "s/a.yaml": "path: /a?v={{a.x}}\ncapture: {x: $.x}\n"])
        #expect(problems == ["s/a.yaml:1:7: s/a needs a value of s/a; outside of a run none of them can be sent"])
    }

    @Test func `a chain of endpoints, and a name that is a variable, are no circle`() throws {
        let problems = try problems([
            "s/service.yaml": "name: S\n",
            "s/a.yaml": "path: /a?v={{b.x}}\ncapture: {x: $.x}\n", "s/b.yaml": "path: /b?v={{a.x}}\nvariables: {a.x: 1}\ncapture: {x: $.x}\n",
            "s/c.yaml": "path: /c?v={{a.x}}&w={{b.x}}\ncapture: {x: $.x}\n",
        ])
        #expect(problems == [])
    }
}
