import Foundation
import Support
import Testing

/// Tests that the page of each target says which modules the target imports, because contributors decide by it where code belongs.
@Suite struct TargetPageTests {
    /// Modules of the toolchain, which pages may leave out.
    private static let toolchain: Set = ["Dispatch", "Foundation", "FoundationEssentials", "Glibc", "Synchronization"]
    /// The modules that the module map of the target `CLibraries` declares.
    private static let libraries: Set = ["CCrypto", "CCurl", "CGSSAPI", "CHTTP2", "CImages", "CTLS"]

    private static let sources = TestSources.repository.appendingPathComponent("Sources")

    /// The names of the directories in `Sources` whose target has a page.
    private static func targets() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: sources.path)
            .filter { FileManager.default.fileExists(atPath: page(of: $0).path) }.sorted()
    }

    /// The page for contributors: `Inside.md` where the page of the target is for users of the library.
    private static func page(of target: String) -> URL {
        let catalog = sources.appendingPathComponent("\(target)/Documentation.docc")
        let inside = catalog.appendingPathComponent("Inside.md")
        return FileManager.default.fileExists(atPath: inside.path) ? inside : catalog.appendingPathComponent("\(target).md")
    }

    /// The modules that the files of a target import, with the names of directories and without those of the toolchain.
    private static func imports(of target: String) throws -> Set<String> {
        let folder = sources.appendingPathComponent(target)
        var modules: Set<String> = []
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) where path.hasSuffix(".swift") {
            let text = try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
            for line in text.split(separator: "\n") where line.contains("import ") {
                guard let found = line.firstMatch(of: /^(?:@\w+ )?(?:\w+ )?import (?:(?:struct|class|enum|func|protocol|typealias|var) )?(\w+)/)
                else { continue }
                let module = String(found.1)
                let directory = module.hasPrefix("Sortie") ? String(module.dropFirst("Sortie".count)) : module
                let isDirectory = FileManager.default.fileExists(atPath: sources.appendingPathComponent(directory).path)
                modules.insert(libraries.contains(module) ? "CLibraries" : isDirectory ? directory : module)
            }
        }
        return modules.subtracting(toolchain)
    }

    /// The modules that a page permits, without those of the toolchain.
    private static func permitted(_ target: String) throws -> Set<String> {
        let text = try String(contentsOf: page(of: target), encoding: .utf8)
        let found = try #require(text.firstMatch(of: /\*\*May import:\*\*((?s).*?)\*\*Must not\*\*/), "\(target).md has no list of imports")
        let list = String(found.1).replacing(/\([^)]*\)/, with: "")
        return Set(list.matches(of: /\b[A-Z]\w+/).map { String($0.0) }).subtracting(toolchain)
    }

    @Test func `the page of each target lists the modules that its files import`() throws {
        let targets = try Self.targets()
        #expect(targets.count >= 14)
        for target in targets { #expect(try Self.permitted(target).sorted() == Self.imports(of: target).sorted(), "\(target)") }
    }

    @Test func `the page of each target names the targets that use it`() throws {
        let targets = try Self.targets()
        var users: [String: Set<String>] = [:]
        for target in targets { for module in try Self.imports(of: target) { users[module, default: []].insert(target) } }
        for target in targets {
            let text = try String(contentsOf: Self.page(of: target), encoding: .utf8)
            // A list of exceptions, and users of the library, are sentences of their own.
            guard let line = text.firstMatch(of: /\*\*Used by:\*\*((?s).*?)\n\n/)?.1, !line.contains("except") else { continue }
            for user in users[target] ?? [] { #expect(line.contains("`\(user)`"), "\(target).md does not name \(user)") }
        }
    }

    @Test func `the page of each target names its directories, and only files that exist`() throws {
        let sources = try FileManager.default.subpathsOfDirectory(atPath: Self.sources.path).map { "/" + $0 }
        for target in try Self.targets() {
            let text = try String(contentsOf: Self.page(of: target), encoding: .utf8)
            let folder = Self.sources.appendingPathComponent(target)
            for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where !name.contains(".") {
                #expect(text.contains("`\(name)`") || text.contains("`\(name)/"), "\(target).md does not name \(name)")
            }
            for file in text.matches(of: /`([\w\/+]+\.swift)`/) {
                #expect(sources.contains { $0.hasSuffix("/\(file.1)") }, "\(target).md names \(file.1)")
            }
        }
    }
}
