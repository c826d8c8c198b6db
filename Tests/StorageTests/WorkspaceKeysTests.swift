import Foundation
import SortieBase
import SortieHTTP
import Support
import Testing
import WorkspaceModel

@testable import SortieStorage

/// The reference of workspace keys, generated from the tables that the readers use.
@Suite struct WorkspaceKeysTests {
    private static var all: [WorkspaceKeys] { WorkspaceKeys.all }

    private static var markdown: String {
        let head = """
            # Workspace keys

            The keys of workspace files, mapping by mapping. A test generates this page from the tables of the reader.

            Forms of values: a *template* is text that may contain `{{name}}`; a *duration* is written as `500ms`, `10s`, `2m`, `1h` or `7d`; *rows* are a
            mapping of names to values, or a list of *row*; *list of texts* is also a single text; a *JSON path* is written as `$.a.b[0]`. Other names in
            italics are mappings of this page. Unknown keys are reported by `sortie check`, and kept when a file is saved.


            """
        let sections = all.map { keys in
            let rows = keys.keys.map { "| `\($0.name)` | \($0.value) | \($0.summary) |\n" }.joined()
            return "## \(keys.heading)\n\n\(keys.place)\n\n| key | value | meaning |\n|---|---|---|\n\(rows)"
        }
        return head + sections.joined(separator: "\n")
    }

    @Test func `the reference has the keys of the readers`() throws {
        let document = GeneratedDocument("Sources/sortie/Documentation.docc/WorkspaceKeys.md")
        let problem = try document.problem(comparedWith: Self.markdown, suite: "WorkspaceKeysTests")
        #expect(problem == nil)
    }

    private static func sources(of directory: String) throws -> String {
        let folder = TestSources.repository.appendingPathComponent("Sources/Storage/\(directory)")
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
            .map { try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8) }.joined()
    }

    @Test func `the reference has every mapping, and a mapping has each key once`() throws {
        let declared = try Self.sources(of: "Reference").matches(of: /static let \w+ = WorkspaceKeys\(/).count
        #expect(Self.all.count == declared)
        #expect(Set(Self.all.map(\.heading)).count == Self.all.count)
        for keys in Self.all { #expect(Set(keys.names).count == keys.names.count, "\(keys.heading)") }
    }

    /// The keys of endpoints that are read in a loop over the table.
    private static let scalars = EndpointKey.all.filter { if case .other = $0.notation { false } else { true } }.map(\.name)

    @Test func `the readers look at every key`() throws {
        let readers = try Self.sources(of: "Workspace")
        for keys in Self.all {
            // The fields of credentials are read by their names in the library.
            let isField = { (name: String) in
                keys.names == WorkspaceKeys.oauth2.names && OAuth2.Field(rawValue: name) != nil
                    || keys.names == WorkspaceKeys.awsSigV4.names && AWSCredential.Field(rawValue: name) != nil
                    || keys.heading == WorkspaceKeys.apiKey.heading && APIKey.Field(rawValue: name) != nil
                    || keys.heading == WorkspaceKeys.jwt.heading && JWTCredential.Field(rawValue: name) != nil
                    || keys.heading == WorkspaceKeys.auth.heading && SignatureCredential.Scheme(rawValue: name) != nil
                    || [WorkspaceKeys.httpSignature, .hawk, .wsse].map(\.heading).contains(keys.heading)
                        && SignatureCredential.Field(rawValue: name) != nil
            }
            // The tests of conditions and rules are read in a loop.
            let isTest = { (name: String) in
                [WorkspaceKeys.condition.heading, WorkspaceKeys.rule.heading].contains(keys.heading) && Condition.Key(rawValue: name) != nil
            }
            let isScalar = { (name: String) in keys.heading == WorkspaceKeys.endpoint.heading && Self.scalars.contains(name) }
            for name in keys.names {
                #expect(readers.contains("\"\(name)\"") || isField(name) || isScalar(name) || isTest(name), "\(keys.heading): \(name)")
            }
        }
    }

    @Test func `the conditions are those of the reader`() {
        let tests = Condition.Key.allCases.map(\.rawValue)
        #expect(WorkspaceKeys.condition.names == tests && WorkspaceKeys.rule.names == ["required"] + tests.filter { $0 != "exists" })
    }

    @Test func `a value in italics names a mapping`() {
        let known = Set(Self.all.map(\.heading)).union(["plugin"])
        for keys in Self.all {
            for key in keys.keys {
                for name in key.value.matches(of: /\*([^*]+)\*/) { #expect(known.contains(String(name.1)), "\(keys.heading): \(key.name)") }
            }
        }
    }
}
