package import SortieBase

/// Exports requests as a `.http` file for the HTTP clients of JetBrains, VS Code and kulala.
package enum HTTPFileExport: ExportFormat {
    package static let name = "http"
    package static let title = ".http files of JetBrains, VS Code and kulala"
    package static let fileExtension = "http"
    package static let keys = Set(["name", "description", "tags", "timeout", "http", "redirects", "cookies", "expect", "capture", "trust"])

    package static func text(of source: ExportSource) throws(Diagnostic) -> String {
        var blocks: [HTTPFileBlock] = []
        for item in source.items { blocks.append(try HTTPFileBlock(item, workspace: source.workspace, environment: source.environment)) }
        // A variable that has the same value in every request stands at the beginning, others in their requests.
        var values: [String: Set<String?>] = [:]
        for block in blocks { for (name, value) in block.variables { values[name, default: []].insert(value) } }
        let shared = values.filter { $0.value.count == 1 }
        let captured = Set(blocks.flatMap(\.captured))
        let unset = shared.filter { $0.value == [nil] }.keys.filter { !captured.contains($0) }.sorted()
        var lines: [String] = []
        if !unset.isEmpty { lines.append("# Set these variables, for example in http-client.private.env.json: " + unset.joined(separator: ", ")) }
        for name in shared.keys.sorted() {
            if let value = shared[name]?.first ?? nil { lines.append("@\(name) = \(value)") }
        }
        if !lines.isEmpty { lines.append("") }
        for block in blocks { lines += block.lines(except: Set(shared.keys)) + [""] }
        return lines.dropLast().map { $0 + "\n" }.joined()
    }
}
