import SortieBase
import Synchronization
import Testing
import WorkspaceModel

/// Tests that templates of a hostile file result in an error instead of using unlimited time and memory.
@Suite struct TemplateBudgetTests {
    /// `v0` is two `v1`, each of them two `v2`, and so on.
    private static func doubling(_ count: Int, last: String = "xx") -> [String: String] {
        var variables = Dictionary(uniqueKeysWithValues: (0..<count).map { ("v\($0)", "{{v\($0 + 1)}}{{v\($0 + 1)}}") })
        variables["v\(count)"] = last
        return variables
    }

    private func message(_ text: String, _ variables: [String: String]) -> String {
        do throws(TemplateError) { return "resolved to " + String(try TemplateScope(layers: [variables]).resolve(text).prefix(20)) } catch {
            return error.message
        }
    }

    @Test(arguments: ["xx", ""])
    func `exponential variables end with an error at the limit of references`(last: String) {
        #expect(message("{{v0}}", Self.doubling(40, last: last)).contains("refer to more than 10000 values"))
    }

    @Test func `long values end with an error at the limit of bytes`() {
        let long = String(repeating: "x", count: 1 << 20)
        let text = String(repeating: "{{a}}", count: 17)
        #expect(message(text, ["a": long]).contains("insert more than 16 MiB"))
    }

    @Test func `a chain that is too deep ends with an error, and a shorter one is resolved`() {
        func chain(_ count: Int) -> [String: String] {
            var variables = Dictionary(uniqueKeysWithValues: (0..<count).map { ("v\($0)", "{{v\($0 + 1)}}") })
            variables["v\(count)"] = "end"
            return variables
        }
        #expect(message("{{v0}}", chain(63)) == "resolved to end")
        #expect(message("{{v0}}", chain(64)).contains("nested in more than 64 variables"))
    }

    @Test func `the texts of one request share the budget`() {
        var workspace = Workspace(name: "W", folder: "/w")
        workspace.variables = Self.doubling(11)
        var endpoint = Endpoint(target: "s/e", name: "E", path: "http://h/")
        for index in 0..<4 { endpoint.headers.append(Parameter("X-\(index)", "{{v0}}")) }
        let builder = RequestBuilder(workspace: workspace, environment: nil)
        let problem = #expect(throws: Diagnostic.self) {
            try builder.request(for: endpoint, in: builder.scope(of: endpoint, builtin: { _, _ in nil }))
        }
        let message = problem?.message ?? "none"
        #expect(message.contains("header “X-2”: the templates of one request refer to more than 10000 values"), "\(message)")
    }

    @Test func `a built-in gives another value for each reference`() throws {
        let counter = Counter()
        let scope = TemplateScope(layers: [["id": "{{$uuid}}"]], builtin: { _, _ in counter.next() })
        #expect(try scope.resolve("{{id}}{{id}}{{$uuid}}") == "123")
    }

    @Test func `a text of many values is written in each notation`() throws {
        let values = String(repeating: "{{a}}-", count: 2000)
        let scope = TemplateScope(layers: [["a": String(repeating: "x", count: 1000)]])
        for notation in [TemplateNotation.text, .url, .proxy, .propertyList, .filePath, .pattern] {
            #expect(try scope.resolve(values, as: notation).utf8.count == 2000 * 1001, "\(notation)")
        }
    }

    @Test func `the check computes the expansion of variables without expanding them`() {
        var workspace = Workspace(name: "W", folder: "/w")
        workspace.variables = Self.doubling(60)
        workspace.variables["chain"] = "{{chain}}"
        workspace.environments = [.init(name: "dev", variables: ["v58": "plain"])]
        let expansion = TemplateExpansion(workspace)
        #expect(expansion.problem(of: "v0")?.contains("more than 10000 values") == true)
        #expect(expansion.problem(of: "v50") == nil)
        #expect(expansion.problem(of: "chain") == nil && expansion.problem(of: "unknown") == nil)
    }

    @Test func `a chain as long as a file is scanned for capabilities and checked`() {
        var workspace = Workspace(name: "W", folder: "/w")
        for index in 0..<30_000 { workspace.variables["v\(index)"] = "{{v\(index + 1)}}" }
        workspace.variables["v30000"] = "{{$env.CANARY}}"
        #expect(TemplateExpansion(workspace).problem(of: "v29990") == nil)
        #expect(TemplateExpansion(workspace).problem(of: "v0")?.contains("64") == true)
        #expect(CapabilityScan(workspace).all.contains(Capability(.environment, "CANARY")))
    }
}

private final class Counter: Sendable {
    private let count = Atomic(0)

    func next() -> String { String(count.add(1, ordering: .relaxed).newValue) }
}
