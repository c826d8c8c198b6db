import SortieBase
import SortieStorage
import Support
import Testing
import WorkspaceModel

/// Reads the YAML in the articles of the guide, so that a key that was renamed or removed is noticed there.
@Suite struct GuideYAMLTests {
    /// The files of which a block can be a part, with the lines that such a block may lack before it.
    private static let places = [
        ("shop/a.yaml", ""), ("shop/service.yaml", ""), ("workspace.yaml", ""), ("runs/r.yaml", ""), ("runs/r.yaml", "chain:\n"),
        ("shop/a.yaml", "plugins:\n"),
    ]

    /// What an example need not have: the rest of the workspace, and one alternative only.
    private static let missing = ["nothing here defines", "there is no", "it cannot be read", "is in the list twice"]

    @Test func `every block of YAML is a part of a file of a workspace, without unknown keys and invalid values`() throws {
        let articles = [
            "Addresses", "Authentication", "Bodies", "Contracts", "FirstWorkspace", "GRPC", "Graphql", "Plugins", "Recipes", "Requests", "Responses",
            "Runs", "Transfers", "Websocket", "Workspaces",
        ]
        var count = 0
        for article in articles {
            // The file of the settings is none of a workspace.
            for (language, text) in try GuideExample.blocks(of: article + ".md") where language == "yaml" && !text.contains("config.yaml") {
                let complete = text.replacing("sha256: HEX", with: "sha256: " + String(repeating: "0", count: 64))
                    .replacing("sha256//…", with: "sha256//" + String(repeating: "A", count: 43) + "=")
                for part in Self.parts(of: complete) {
                    count += 1
                    if try Self.places.contains(where: { try Self.problems(of: $0.1 + part, in: $0.0).isEmpty }) { continue }
                    Issue.record("\(article).md: \(part)\n\(try Self.places.map { try Self.problems(of: $0.1 + part, in: $0.0) })")
                }
            }
        }
        #expect(count > 50)
    }

    /// The block, divided where a key is repeated, as in a list of alternatives.
    private static func parts(of text: String) -> [String] {
        var parts = [""]
        var keys: Set<Substring> = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if let key = line.firstMatch(of: /^\w+:/)?.0, !keys.insert(key).inserted {
                keys = [key]
                parts.append("")
            }
            parts[parts.count - 1] += line + "\n"
        }
        return parts
    }

    private static func problems(of text: String, in file: String) throws -> [String] {
        try TemporaryWorkspace([file: text]).load().problems.filter { $0.location.file == file }.map(\.message)
            .filter { message in !missing.contains { message.contains($0) } }
    }
}
