import Foundation
import Testing

/// Only users of the library need public declarations; the other targets share theirs within the package.
@Suite struct PublicDeclarationTests {
    /// The directories of the targets that the library products consist of.
    private static let library: Set<String> = ["SortieBase", "SortieClassic", "SortieHTTP", "SortieNetworking", "SortieTesting"]

    /// The lines of a source with the access level `public`, comments and strings left out.
    private static func publicLines(in source: String) -> [String] {
        SwiftCode(source).text.split(separator: "\n").filter { line in
            line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.contains("public")
        }.map { $0.trimmingCharacters(in: .whitespaces) }
    }

    @Test func `targets that are in no library product have no public declaration`() throws {
        let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../../Sources").standardizedFileURL
        var files = 0
        for path in try FileManager.default.subpathsOfDirectory(atPath: sources.path).sorted() where path.hasSuffix(".swift") {
            guard let target = path.split(separator: "/").first, !Self.library.contains(String(target)) else { continue }
            files += 1
            let source = try String(contentsOf: sources.appendingPathComponent(path), encoding: .utf8)
            #expect(Self.publicLines(in: source) == [], "\(path)")
        }
        #expect(files > 200)
    }

    /// The number of public types, which an addition has to change with a reason; callers read about each of them.
    private static let mostTypes = 210

    @Test func `the core of the library has no more public types than were decided`() throws {
        let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../../Sources").standardizedFileURL
        var types = 0
        for target in ["SortieBase", "SortieHTTP", "SortieNetworking"] {
            let folder = sources.appendingPathComponent(target)
            for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) where path.hasSuffix(".swift") {
                let lines = Self.publicLines(in: try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8))
                types += lines.count { $0.contains(/\bpublic (?:final |indirect )*(?:struct|class|enum|actor|protocol|typealias)\b/) }
            }
        }
        #expect((100...Self.mostTypes).contains(types), "\(types)")
    }

    @Test func `a public declaration is found behind attributes, and not in comments, strings and names`() {
        let source = """
            // public comment
            let publicKey = "public text"
            @inlinable public func found() {}
            """
        #expect(Self.publicLines(in: source) == ["@inlinable public func found() {}"])
    }
}
