import Foundation
import Testing

/// A message that the workbench may show names no command of the shell; remedies have words for both.
@Suite struct CommandWordingTests {
    /// The targets whose messages users of the workbench read.
    private static let targets = [
        "BodyViews", "HistoryModel", "Interchange", "SortieBase", "SortieHTTP", "SortieNetworking", "Storage", "Terminal", "Workbench",
        "WorkspaceModel",
    ]

    /// What names commands although it is no message of the workbench: the words of commands, references, texts of files, and what `sortie check` prints.
    private static let exempt = [
        "SortieBase/Diagnostics/Diagnostic+ProgramHint.swift", "WorkspaceModel/Errors/NetworkError+ProgramHint.swift", "Storage/Reference/",
        "WorkspaceModel/Workspace/EndpointKey.swift", "Storage/Workspace/NewWorkspaceText.swift", "Storage/Settings/SettingsFile.swift",
        "Storage/UserWorkspaces/ScratchWorkspace.swift", "WorkspaceModel/Credentials/ClearCredentials.swift", "Interchange/Code/LocustExport.swift",
        "Workbench/Features/Guide/GuideFeature.swift",
    ]

    /// The lines of a source that name a command outside of comments and of the words that a remedy has for commands.
    private static func lines(in source: String) -> [String] {
        source.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { line in
            !line.hasPrefix("//") && line.contains(/\bsortie (?:[a-z]|-)/) && !line.contains("program: ")
        }
    }

    @Test func `messages below the commands name no command`() throws {
        let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../../Sources").standardizedFileURL
        var files = 0
        for path in try FileManager.default.subpathsOfDirectory(atPath: sources.path).sorted() where path.hasSuffix(".swift") {
            guard let target = path.split(separator: "/").first, Self.targets.contains(String(target)) else { continue }
            files += 1
            if Self.exempt.contains(where: path.hasPrefix) { continue }
            let source = try String(contentsOf: sources.appendingPathComponent(path), encoding: .utf8)
            #expect(Self.lines(in: source) == [], "\(path): give the command to the remedy of the error, with other words for the workbench")
        }
        #expect(files > 500)
    }

    @Test func `a command is found in a message, and not in a comment or in a remedy`() {
        let source = """
            // see sortie list
            "there is no endpoint; see sortie list"
            .text(program: "sortie list shows all", workbench: "Services lists all")
            """
        #expect(Self.lines(in: source) == ["\"there is no endpoint; see sortie list\""])
    }
}
