import Foundation
import Testing

/// The texts of the library are for programs that use it; options of commands and keys of workspaces are added where the program displays an error.
@Suite struct LibraryWordingTests {
    /// The words for users of the program in the strings of a source.
    private static func words(in source: String) -> [String] {
        // The expression is slow, so it is applied only to lines with a string and one of its words.
        let parts = [" --", " -o", "workspace", ".yaml:", "in the endpoint", "trust."]
        let lines = source.split(separator: "\n").filter { line in
            line.utf8.contains(UInt8(ascii: "\"")) && parts.contains { line.contains($0) }
        }
        return lines.filter { !$0.drop { $0 == " " }.hasPrefix("//") }.flatMap { line in
            line.matches(of: /"[^"]*?( --[a-z]+| -o\b|workspace|\.yaml:|in the endpoint|trust\.(?:ca|clientCertificate|clientKey)\b)/)
                .map { String($0.output.1) }
        }
    }

    @Test func `messages of the library name no options of commands and no workspace keys`() throws {
        let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../../Sources").standardizedFileURL
        var files = 0
        for target in ["SortieBase", "SortieHTTP", "SortieNetworking"] {
            let folder = sources.appendingPathComponent(target)
            for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted() where path.hasSuffix(".swift") {
                files += 1
                // The words of the program for the remedies of its problems, which the library does not display.
                if path == "Diagnostics/Diagnostic+ProgramHint.swift" { continue }
                #expect(Self.words(in: try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)) == [], "\(target)/\(path)")
            }
        }
        #expect(files > 200)
    }

    @Test func `texts of the workbench name keys, and no options of commands`() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../../Sources/Workbench")
            .standardizedFileURL
        var files = 0
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted() where path.hasSuffix(".swift") {
            files += 1
            let lines = try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8).split(separator: "\n")
            for line in lines where line.contains("--") && !line.drop(while: { $0 == " " }).hasPrefix("//") {
                #expect(!line.contains(/"[^"]*--[a-z]/), "\(path): \(line)")
            }
        }
        #expect(files > 100)
    }

    @Test func `options and keys are found in strings, and not in comments`() {
        let source = """
            // raise the limit with --max-body
            let hint = "raise the limit with --max-body"
            let other = "set trust.clientCertificateFile", key = "set trust.clientKey"
            """
        #expect(Self.words(in: source) == [" --max", "trust.clientKey"])
    }
}
