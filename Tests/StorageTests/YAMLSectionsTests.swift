import Foundation
import SortieBase
import SortieHTTP
import Support
import Testing
import WorkspaceModel

@testable import SortieStorage

/// Tests the texts of the sections of endpoints, which the workbench edits.
@Suite struct YAMLSectionsTests {
    private let sections = YAMLSections()

    private func endpoint(_ text: String) throws -> Endpoint { try #require(try TemporaryWorkspace.endpoint("path: /\n" + text)) }

    @Test func `reading the text of a section gives the same endpoint, for every endpoint of the demo`() throws {
        let workspace = try WorkspaceFolder(path: TestSources.repository.appendingPathComponent("Workspaces/Demo").path).load()
        var count = 0
        for endpoint in workspace.endpoints {
            for section in EndpointSection.allCases {
                let text = sections.text(of: section, in: endpoint)
                var read = endpoint
                sections.set(section, of: &read, to: text)
                #expect(read == endpoint, "\(endpoint.target) \(section): \(text)")
                if !text.isEmpty { count += 1 }
            }
        }
        #expect(count > 20)
    }

    @Test(arguments: ["a\n", "a b c d e f g h i\n", "a\n\n\n", "a\nb", "a\nb\n", "a"])
    func `the last value of a section keeps the line breaks that it ends with`(value: String) throws {
        var endpoint = try endpoint("")
        endpoint.variables = ["name": value]
        let text = sections.text(of: .variables, in: endpoint)
        var read = endpoint
        read.variables = [:]
        sections.set(.variables, of: &read, to: text)
        #expect(read == endpoint, "\(text.debugDescription)")
    }

    @Test func `several conditions on one value are a mapping of tests`() throws {
        var endpoint = try endpoint("expect: {json: {$.n: {atLeast: 1, atMost: 9}, $.a: exists}}")
        let text = sections.text(of: .expect, in: endpoint)
        #expect(text == "json: {$.n: {atLeast: 1, atMost: 9}, $.a: exists}")
        let before = endpoint
        sections.set(.expect, of: &endpoint, to: text)
        #expect(endpoint == before)
    }

    @Test func `a mapping that is longer than a narrow pane has a line for each member`() throws {
        let endpoint = try endpoint("expect: {status: 200, json: {$.code: 200, $.result.items: type array, $.result.total: 58}}")
        #expect(
            sections.text(of: .expect, in: endpoint)
                == "status: 200\njson:\n  $.code: 200\n  $.result.items: type array\n  $.result.total: 58")
    }

    @Test func `plugins, values of a reformer and a download are sections`() throws {
        var endpoint = try endpoint("plugins:\n- sign: {scheme: hmac-sha256}\n- debugLog\nreform: {id: $.id}\ndownload: {to: a/, onExists: fail}")
        #expect(sections.text(of: .reform, in: endpoint) == "id: $.id")
        #expect(sections.text(of: .download, in: endpoint) == "to: a/\nonExists: fail")
        let plugins = sections.text(of: .plugins, in: endpoint)
        #expect(plugins.contains("- sign:") && plugins.contains("hmac-sha256") && plugins.contains("- debugLog"))
        let before = endpoint
        sections.set(.plugins, of: &endpoint, to: plugins)
        #expect(endpoint == before)
        sections.set(.plugins, of: &endpoint, to: "none")
        #expect(endpoint.pluginUse == Endpoint.PluginUse.none && sections.text(of: .plugins, in: endpoint) == "none")
        #expect(sections.keys(of: .plugins).first { $0.name == "- sign" }?.summary.contains("timestampHeader") == true)
    }

    @Test func `an empty text removes a section`() throws {
        var endpoint = try endpoint("expect: {status: 200}\ncapture: {id: $.id}\ncache: 5s")
        for section in [EndpointSection.expect, .capture, .cache] { sections.set(section, of: &endpoint, to: " \n") }
        #expect(endpoint.expectation == nil && endpoint.captures.isEmpty && endpoint.cache == nil && endpoint.unreadableSections.isEmpty)
    }

    @Test(arguments: [
        (EndpointSection.expect, "status: ten", 1, 9, "neither a status nor a range"),
        (.expect, "status: 200\nstaus: 200", 2, 1, "did you mean “status”"),
        (.expect, "json:\n  $[: 1", 2, 3, "JSON path"), (.expect, "json: {a", 1, 7, "not YAML"), (.capture, "id: name", 1, 5, "JSON path"),
        (.expect, "format: html", 1, 9, "one of"), (.page, "5", 1, 1, "must be a mapping"),
        (.parameters, "rules: {n: {type: int}}", 1, 19, "did you mean integer?"), (.cache, "soon", 1, 1, "duration"),
        (.retry, "limit: 101", 1, 8, "0 to 100"),
        (.reform, "id: name", 1, 5, "JSON path"), (.download, "limitRate: fast", 1, 12, "bytes a second"),
        (.plugins, "- sing", 1, 3, "did you mean “sign”"),
    ])
    func `a text that cannot be read is kept, with the line and column of its problem`(
        _ section: EndpointSection, text: String, line: Int, column: Int, words: String
    ) throws {
        var endpoint = try endpoint("expect: {status: 200}")
        let before = endpoint
        sections.set(section, of: &endpoint, to: text)
        let problem = try #require(sections.problem(of: endpoint))
        #expect(problem.location.line == line && problem.location.column == column, "\(problem)")
        #expect(problem.message.contains(words), "\(problem)")
        #expect(sections.text(of: section, in: endpoint) == text)
        endpoint.unreadableSections = [:]
        #expect(endpoint == before)
    }

    @Test func `an endpoint with a section that cannot be read is not saved`() throws {
        let workspace = try TemporaryWorkspace(["shop/a.yaml": "path: /a\nexpect: {status: 200}\n"])
        let original = try #require(try workspace.load().endpoint("shop/a"))
        var endpoint = original
        sections.set(.expect, of: &endpoint, to: "status: ten")
        let error = #expect(throws: WorkspaceError.self) { try workspace.save(endpoint, replacing: original) }
        let words = "expect:1:9: “ten” is neither a status nor a range such as 200-299 or 2xx"
        #expect(error?.message.hasPrefix(words) == true, "\(String(describing: error))")
        #expect(try workspace.read("shop/a.yaml") == "path: /a\nexpect: {status: 200}\n")
    }

    @Test func `the keys of a section are those of the reference`() {
        #expect(sections.keys(of: .page).map(\.name) == WorkspaceKeys.page.names)
        #expect(sections.keys(of: .capture).map(\.name) == ["NAME"])
        #expect(EndpointSection.allCases.allSatisfy { WorkspaceKeys.endpoint.names.contains($0.rawValue) })
    }

    @Test func `an endpoint that begins to call gRPC is sent by POST`() {
        var endpoint = Endpoint(target: "shop/sum", name: "Sum", path: "/")
        YAMLSections().set(.grpc, of: &endpoint, to: "method: shop.Orders/Sum")
        #expect(endpoint.method == .post)
        endpoint.method = .put
        YAMLSections().set(.grpc, of: &endpoint, to: "method: shop.Orders/Get")
        #expect(endpoint.method == .put, "what was chosen afterwards stays")
    }
}
