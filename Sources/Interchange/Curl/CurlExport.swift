package import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// Exports requests as curl command lines for a POSIX shell.
package enum CurlExport: ExportFormat {
    package static let name = "curl"
    package static let title = "curl command lines"
    package static let fileExtension = "sh"

    package static func text(of source: ExportSource) throws(Diagnostic) -> String {
        var lines: [String] = []
        var commands: [CurlCommand] = []
        for item in source.items { commands.append(try CurlCommand(item)) }
        let variables = Set(commands.flatMap(\.variables)).sorted()
        if !variables.isEmpty { lines.append("# Set before: " + variables.joined(separator: " ")) }
        for (item, command) in zip(source.items, commands) {
            if source.items.count > 1 { lines.append("# " + ShellQuote.comment(item.name)) }
            lines.append(command.text)
        }
        return lines.map { $0 + "\n" }.joined()
    }
}
