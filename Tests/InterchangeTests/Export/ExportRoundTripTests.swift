import Foundation
import SortieBase
import SortieHTTP
import SortieStorage
import Support
import Testing
import WorkspaceModel

@testable import Interchange

/// Exports each endpoint of the demo and imports the result: it sends the same request, or a line says what is lost.
struct ExportRoundTripTests {
    /// A request with its parts in a form that is the same for equal requests.
    private struct Sent: Hashable, CustomStringConvertible {
        var line: String
        var fields: [String]
        var body: String

        var description: String { ([line] + fields + [body]).joined(separator: "\n") }

        /// - Parameter known: Inserts the value of placeholders.
        init(_ request: Request, known: (String) -> String) {
            let url = known(request.url.description)
            // Tools encode harmless characters of a query differently.
            let parts = url.prefix { $0 != "#" }.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
            line = ([request.method.rawValue] + parts.map { PercentEncoding.decode($0) }).joined(separator: " ")
            let fields = request.headers.fields.filter { !["authorization", "content-type"].contains($0.name.lowercased()) }
            // Blanks around a value are no part of it (RFC 9110 §5.5).
            self.fields = fields.map { "\($0.name.lowercased()): \(known($0.value).trimmingCharacters(in: .whitespaces))" }.sorted()
            var type = known(request.headers["Content-Type"] ?? request.body.contentType ?? "")
            switch request.body {
            case .none: body = ""
            case .bytes(let bytes, _):
                let text = known(String(decoding: bytes, as: UTF8.self))
                body = (try? JSONValue(parsing: text))?.text ?? text
            case .file(let path, _): body = "file " + FilePath.name(of: path)
            case .multipart(let parts):
                type = "multipart/form-data"
                body = parts.map { part in
                    let content =
                        switch part.content {
                        case .bytes(let bytes): known(String(decoding: bytes, as: UTF8.self))
                        case .file(let path): "file " + FilePath.name(of: path)
                        }
                    return "\(part.name) \(part.fileName ?? "") \(part.contentType ?? "") \(content)"
                }.joined(separator: "\n")
            }
            if !body.isEmpty { self.fields.append("content-type: \(type)") }
        }
    }

    /// The value of credentials, of what the user enters, and of generated texts, on both sides.
    private static let value = "7"

    private static let formats: [String: (any ExportFormat.Type, any ImportFormat.Type)] = [
        "curl": (CurlExport.self, CurlImport.self), "http": (HTTPFileExport.self, HTTPFileImport.self), "har": (HARExport.self, HARImport.self),
        "openapi": (OpenAPIExport.self, OpenAPIImport.self), "postman": (PostmanExport.self, PostmanImport.self),
        "hurl": (HurlExport.self, HurlImport.self),
    ]

    /// Reasons of an import that say nothing about the request.
    private static let others = ["the response handler", "the script sets", "the descriptions of", "nothing in the source defines"]

    private static let keys = Set(EndpointKey.all.map { $0.name[...] })

    private static func exported(_ endpoint: Endpoint, of workspace: Workspace, _ environment: String?) throws(Diagnostic) -> ExportSource {
        let resolver = ExportResolver(workspace: workspace, environment: environment) { _, _ in value }
        return ExportSource(name: "demo", workspace: workspace, environment: environment, items: [try resolver.item(for: endpoint)])
    }

    /// The request of an imported endpoint.
    private static func imported(_ text: String, by format: any ImportFormat.Type, folder: String) throws -> (sent: Sent?, reasons: [String]) {
        let imported = try format.workspace(from: ImportSource(name: "demo.\(format.name)", bytes: Array(text.utf8), yaml: YAMLSource.node))
        let placed = PlacedImport(imported, into: nil, folder: folder, sourceFolder: folder, known: [:], taken: [])
        let reasons = placed.report.entries.filter { $0.outcome != .imported }.map(\.reason.programText)
        var workspace = placed.workspace
        // Postman has variables without values for credentials, which the user sets.
        workspace.variables = workspace.variables.mapValues { $0.isEmpty ? value : $0 }
        guard let endpoint = workspace.endpoints.first else { return (nil, reasons) }
        let plan = RequestBuilder(workspace: workspace, environment: workspace.environments.first?.name)
        let secrets = Set(workspace.secrets.keys)
        let scope = plan.scope(of: endpoint) { name in
            secrets.contains(name) ? value : nil
        } builtin: { _, _ in
            value
        }
        var request = try plan.request(for: endpoint, in: scope)
        let auth = endpoint.auth == .inherit ? workspace.service(endpoint.serviceName)?.auth ?? .none : endpoint.auth
        if case .apiKey(let key) = auth {
            request.options.credential = .apiKey(APIKey(name: key.name, value: value, in: key.place))
            request.placeCredential()
        }
        return (Sent(request) { $0 }, reasons)
    }

    /// What became of an endpoint that was exported and imported.
    private enum Outcome { case same, different, refused }

    /// Exports and imports an endpoint, and compares the request that it sends with that of the result.
    private static func outcome(_ name: String, _ endpoint: Endpoint, of workspace: Workspace, _ environment: String?) throws -> Outcome {
        let (format, back) = try #require(formats[name])
        var lines: [String] = []
        do throws(Diagnostic) {
            let source = try exported(endpoint, of: workspace, environment)
            let text = try format.text(of: source)
            let notes = try format.notes(of: source).map { $0.replacing("\(endpoint.target): ", with: "") }
            lines += notes + text.split(separator: "\n").filter { $0.hasPrefix("# Not exported:") }.map { String($0.dropFirst(16)) }
            // The keys that a format does not have say nothing about the request.
            lines.removeAll { $0.split(separator: ", ").allSatisfy(keys.contains) }
            let placeholders = source.items[0].placeholders
            let sent = Sent(source.items[0].request) { text in
                placeholders.pieces(of: text).map { if case .text(let text) = $0 { text } else { value } }.joined()
            }
            do {
                let (again, reasons) = try imported(text, by: back, folder: workspace.folder)
                lines += reasons.filter { reason in !others.contains { reason.hasPrefix($0) } }
                let shown = again.map { "\($0)" } ?? "no endpoint"
                #expect(again == sent || !lines.isEmpty, "\(endpoint.target):\n\(sent)\n--- imported\n\(shown)\n--- exported\n\(text)")
                return again == sent ? .same : .different
            } catch {
                Issue.record("\(endpoint.target): \(error)\n\(text)")
                return .different
            }
        } catch {
            // An endpoint that the format cannot express is refused with the reason.
            #expect(!error.message.isEmpty)
            return .refused
        }
    }

    @Test(arguments: ["curl", "http", "har", "openapi", "postman"])
    func `an endpoint of the demo that is exported and imported sends the same request, or a line says what is lost`(_ name: String) throws {
        let workspace = try WorkspaceFolder(path: TestSources.repository.appendingPathComponent("Workspaces/Demo").path).load()
        let environment = workspace.initialEnvironment ?? workspace.environments.first?.name
        let all = workspace.endpoints.filter { $0.grpc == nil && !$0.opensWebSocket }
        let same = try all.count { try Self.outcome(name, $0, of: workspace, environment) == .same }
        #expect(same * 3 > all.count, "\(same) of \(all.count)")
    }

    @Test(arguments: formats.keys.sorted(), LongRun.isRequested ? Array(UInt64(1)...20) : [1, 5])
    func `a generated endpoint that is exported and imported sends the same request, or a line says what is lost`(_ name: String, _ seed: UInt64)
        throws
    {
        var generator = EndpointGenerator(seed: seed)
        var outcomes: [Outcome] = []
        for number in 0..<60 {
            let endpoint = generator.endpoint(number)
            outcomes.append(try Self.outcome(name, endpoint, of: ExportFixture.workspace("http://h", [endpoint]), "e"))
        }
        #expect(outcomes.count { $0 == .same } * 6 > outcomes.count, "\(outcomes)")
    }
}

/// Makes endpoints of parts that formats write in different ways.
private struct EndpointGenerator {
    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    private mutating func one<Element>(_ choices: [Element]) -> Element { choices[Int.random(in: 0..<choices.count, using: &random)] }

    private static let pieces = [
        "a", "B", "1", " ", "é", "😀", "&", "=", "+", "%", "%20", "#", "?", "/", ":", ";", ",", "'", "\"", "\\", "$", "`", "!", "<", ">", "{", "}",
        "[", "]",
        "@", "~", "|", "*", "(", ")", "-", "_", ".", "{{name}}", "null", "true",
    ]

    /// A text of some pieces.
    private mutating func text(_ count: ClosedRange<Int>, without excluded: Set<String> = []) -> String {
        let allowed = Self.pieces.filter { !excluded.contains($0) }
        return (0..<Int.random(in: count, using: &random)).map { _ in one(allowed) }.joined()
    }

    private mutating func rows(_ name: (inout Self) -> String) -> [Parameter] {
        (0..<Int.random(in: 0...3, using: &random)).map { _ in Parameter(name(&self), text(0...4), isEnabled: one([true, true, true, false])) }
    }

    private mutating func json() -> String {
        let members = (0..<Int.random(in: 0...3, using: &random)).map { "\(JSONValue.string("k\($0)").text): \(JSONValue.string(text(0...5)).text)" }
        return "{\(members.joined(separator: ", "))}"
    }

    private mutating func body() -> BodyTemplate {
        switch Int.random(in: 0..<7, using: &random) {
        case 0: .none
        case 1: .json(json())
        case 2: .text(text(0...6), contentType: one(["text/plain", "application/xml", nil]))
        case 3: .text(one(["a\nb", "a\r\nb\n", "\n\n", "### x\ny", "<a>\n</a>"]), contentType: "text/plain")
        case 4: .form(rows { $0.text(1...3) })
        case 5: .multipart((0..<2).map { .init(name: "p\($0)", value: text(0...4), contentType: one([nil, "text/plain"])) })
        default: .graphQL(GraphQLTemplate(query: "query Q { a(b: \"c\") }", variables: one(["", json()]), operation: one([nil, "Q"])))
        }
    }

    mutating func endpoint(_ number: Int) -> Endpoint {
        var endpoint = Endpoint(target: "s/e\(number)", name: one(["e\(number)", "Name: \(text(1...3))"]), path: "/")
        endpoint.path += text(0...4, without: ["?", "#", "%", "{", "}", ":", "\\", "/"]) + one(["", "", "?a=1", "?a&b=", "?a=1&&b"])
        endpoint.query = rows { "q" + $0.text(0...2) }
        endpoint.headers = rows { $0.one(["X-A", "x-b", "Accept", "Cookie", "X-C", "User-Agent"]) }
        endpoint.body = body()
        endpoint.method = endpoint.body == .none ? one([.get, .head, .delete, .options]) : one([.post, .put, .patch, .delete])
        if case .graphQL = endpoint.body { endpoint.method = .post }
        endpoint.auth = one([.none, .none, .basic(user: "u", password: "p"), .bearer(token: "t")])
        endpoint.variables = ["name": "a b"]
        return endpoint
    }
}
