public import Foundation

/// The sources of the tests.
public enum TestSources {
    /// The root of the repository.
    public static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../..").standardizedFileURL

    /// A Swift file of the directory `Tests`.
    public struct File: Sendable {
        /// The path relative to `Tests`.
        public let path: String
        /// The text.
        public let text: String
    }

    /// A test function.
    public struct Test: Hashable, Sendable {
        /// The suite that declares it.
        public let suite: String
        /// The name without backticks.
        public let name: String
        /// The path of the file relative to `Tests`.
        public let path: String
    }

    /// All Swift files, and what they declare; read once.
    private static let content = Result {
        let folder = repository.appendingPathComponent("Tests")
        return try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }.sorted().map {
            let file = File(path: $0, text: try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8))
            return (file: file, declared: declared(in: file))
        }
    }

    /// All Swift files.
    public static func files() throws -> [File] { try content.get().map(\.file) }

    /// All suites with the files that declare them, without extensions.
    public static func suites() throws -> [(name: String, path: String)] { try content.get().flatMap(\.declared.suites) }

    /// All test functions whose names are sentences.
    public static func tests() throws -> [Test] { try content.get().flatMap(\.declared.tests) }

    private static func declared(in file: File) -> (suites: [(name: String, path: String)], tests: [Test]) {
        var suites: [(name: String, path: String)] = []
        var tests: [Test] = []
        var suite = ""
        for line in file.text.split(separator: "\n") {
            // Regular expressions are slow in debug builds.
            if line.contains("Tests"), let found = line.firstMatch(of: /\b(struct|extension|class|actor|enum) (\w+Tests)\b/) {
                suite = String(found.2)
                if found.1 != "extension" { suites.append((suite, file.path)) }
            }
            guard let start = line.firstRange(of: "func `")?.upperBound, let end = line[start...].firstIndex(of: "`") else { continue }
            tests.append(Test(suite: suite, name: String(line[start..<end]), path: file.path))
        }
        return (suites, tests)
    }
}
