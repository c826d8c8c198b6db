package import SortieBase

/// Exports requests as curl command lines for a POSIX shell.
package enum CurlExport: ExportFormat {
    package static let name = "curl"
    package static let title = "curl command lines"
    package static let fileExtension = "sh"
    package static let keys = ExportNotes.descriptions.union(ExportNotes.connectionKeys).union([
        "timeout", "retry", "http", "redirects", "compression", "cookies", "interface",
    ])

    package static func text(of source: ExportSource) throws(Diagnostic) -> String {
        var lines: [String] = []
        let commands = try commands(of: source)
        let variables = Set(commands.flatMap(\.variables)).sorted()
        if !variables.isEmpty { lines.append("# Set before: " + variables.joined(separator: " ")) }
        let functions = commands.reduce(into: Set<ShellEncoding>()) { $0.formUnion($1.functions) }
        lines += ShellEncoding.allCases.filter(functions.contains).compactMap(\.definition)
        for (item, command) in zip(source.items, commands) {
            if source.items.count > 1 { lines.append("# " + ShellQuote.comment(item.name)) }
            lines.append(command.text)
        }
        return lines.map { $0 + "\n" }.joined()
    }

    package static func notes(of source: ExportSource) throws(Diagnostic) -> [String] {
        zip(source.items, try commands(of: source)).flatMap { item, command in
            let notes = ExportNotes.common(of: item, in: source.workspace, writing: keys) + ExportNotes.token(of: item) + command.notes
            return notes.map { "\(item.name): \($0)" }
        }
    }

    private static func commands(of source: ExportSource) throws(Diagnostic) -> [CurlCommand] {
        var commands: [CurlCommand] = []
        for item in source.items { commands.append(try CurlCommand(item, in: source.workspace)) }
        return commands
    }
}
