package import SortieBase
internal import WorkspaceModel

/// Imports the requests in the code of a Markdown document, such as a README: each block is read by the format of its language.
package enum MarkdownImport: ImportFormat {
    package static let name = "markdown"
    package static let title = "curl commands and requests in the code of Markdown documents"
    package static let endings = [".md", ".markdown", ".mdx"]

    /// The formats of blocks, in the order of the services.
    private static let formats: [any ImportFormat.Type] = [
        CurlImport.self, HTTPFileImport.self, FetchImport.self, PowerShellImport.self, PythonImport.self,
    ]

    private static let languages: [String: String] = [
        "http": HTTPFileImport.name, "rest": HTTPFileImport.name, "js": FetchImport.name, "javascript": FetchImport.name, "jsx": FetchImport.name,
        "mjs": FetchImport.name, "ts": FetchImport.name, "typescript": FetchImport.name, "tsx": FetchImport.name, "py": PythonImport.name,
        "python": PythonImport.name, "python3": PythonImport.name,
    ]

    /// The languages of blocks with commands; those of PowerShell may have both its own and curl.
    private static let shells: Set = [
        "", "bash", "sh", "shell", "zsh", "fish", "console", "shell-session", "shellsession", "sh-session", "terminal", "curl", "cmd", "bat",
        "batch", "dos", "cli", "text", "txt", "plaintext", "powershell", "ps1", "pwsh", "ps",
    ]

    package static func recognizes(_ source: ImportSource) -> Bool {
        guard source.paths == nil, endings.contains(where: source.name.lowercased().hasSuffix) else { return false }
        return MarkdownCode(String(decoding: source.start(1 << 20), as: UTF8.self)).blocks.contains { format(of: $0) != nil }
    }

    package static func workspace(from source: ImportSource) throws(Diagnostic) -> ImportedWorkspace {
        let blocks = MarkdownCode(try source.text()).blocks
        var workspaces: [ImportedWorkspace] = []
        var failures: [Diagnostic] = []
        for format in formats {
            let own = blocks.filter { Self.format(of: $0)?.name == format.name }
            guard !own.isEmpty else { continue }
            do throws(Diagnostic) {
                workspaces.append(
                    try format.name == CurlImport.name ? commands(in: blocks, of: source) : workspace(of: own, format, source))
            } catch { failures.append(error) }
        }
        guard var result = workspaces.first else {
            throw failures.first
                ?? Diagnostic(SourceLocation(file: source.name), "no block of code has a curl command or a request; a block begins with ``` or ~~~")
        }
        for workspace in workspaces.dropFirst() { result.merge(workspace) }
        for failure in failures { result.report.add(.omitted, "block", failure.message, place: failure.location) }
        return result
    }

    /// The format that reads a block; nil for a block without requests.
    private static func format(of block: MarkdownCode.Block) -> (any ImportFormat.Type)? {
        let source = ImportSource(name: "block", bytes: Array(block.text.utf8))
        if let name = languages[block.language] {
            // A response is no request.
            let first = block.lines.first { !$0.allSatisfy(\.isWhitespace) } ?? ""
            return first.hasPrefix("HTTP/") ? nil : formats.first { $0.name == name && $0.recognizes(source) }
        }
        guard shells.contains(block.language) else { return nil }
        return CurlImport.recognizes(source) ? CurlImport.self : PowerShellImport.recognizes(source) ? PowerShellImport.self : nil
    }

    /// The commands of all blocks of a shell; blocks without curl only define variables.
    private static func commands(in blocks: [MarkdownCode.Block], of source: ImportSource) throws(Diagnostic) -> ImportedWorkspace {
        let parts = blocks.filter { shells.contains($0.language) }.map { block in
            (text: format(of: block)?.name == CurlImport.name ? block.commands : block.assignments, line: block.line)
        }
        return try CurlImport.workspace(of: parts, in: source)
    }

    private static func workspace(
        of blocks: [MarkdownCode.Block], _ format: any ImportFormat.Type, _ source: ImportSource
    ) throws(Diagnostic) -> ImportedWorkspace {
        // The blocks stay at their lines, so that places are those of the document.
        var document: [Substring] = []
        for block in blocks {
            document += Array(repeating: "", count: max(0, block.line - 1 - document.count))
            // A separator of requests is in the place of the fence.
            if format.name == HTTPFileImport.name, !document.isEmpty { document[document.count - 1] = "###" }
            document += block.lines
        }
        let bytes = Array(document.joined(separator: "\n").utf8)
        var workspace = try format.workspace(from: source.replacing(source.name, by: bytes))
        if format.name != HTTPFileImport.name { workspace.distinguishIdentities(by: format.name) }
        return workspace
    }
}

extension ImportedWorkspace {
    /// Adds the content of another workspace, whose identities are others.
    fileprivate mutating func merge(_ other: ImportedWorkspace) {
        environments += other.environments
        variables.merge(other.variables) { own, _ in own }
        secrets.merge(other.secrets) { own, _ in own }
        secretVariables.formUnion(other.secretVariables)
        for service in other.services {
            if let index = services.firstIndex(where: { $0.service == service.service }) {
                services[index].items += service.items
            } else {
                services.append(service)
            }
        }
        runs += other.runs
        report.entries += other.report.entries
        keepsOrder = keepsOrder || other.keepsOrder
    }

    /// Makes identities of the formats whose requests are read in the same way different.
    fileprivate mutating func distinguishIdentities(by format: String) {
        for index in services.indices {
            services[index].id = "\(format) \(services[index].id)"
            services[index].items.mapEndpoints { $0.id = "\(format) \($0.id)" }
        }
        for index in report.entries.indices { report.entries[index].id = report.entries[index].id.map { "\(format) \($0)" } }
    }
}

extension MarkdownCode.Block {
    /// The commands of a block without the output that a block with prompts also has.
    fileprivate var commands: String {
        guard lines.contains(where: Self.hasPrompt) else { return text }
        var block = self
        var start: Int?
        for (index, line) in lines.enumerated() {
            if Self.hasPrompt(line) {
                start = index
            } else if let first = start, !Self.isOpen(lines[first..<index]) {
                start = nil
            }
            if start == nil { block.lines[index] = "" }
        }
        return block.text
    }

    /// The lines that assign a variable, at their places.
    fileprivate var assignments: String {
        lines.map { line in
            let words = line.split(whereSeparator: \.isSpaceOrTab).map(String.init).drop { $0 == "export" || $0 == "$" }
            return CurlScript.isAssignment(words) ? line : ""
        }
        .joined(separator: "\n")
    }

    private static func hasPrompt(_ line: Substring) -> Bool {
        let content = line.drop(while: \.isSpaceOrTab)
        return ["$ ", "% ", "> "].contains(where: content.hasPrefix)
    }

    /// The most lines of one command beside a prompt, because each line reads those before it again.
    private static let mostLines = 300

    /// Whether a command continues on the next line.
    private static func isOpen(_ lines: ArraySlice<Substring>) -> Bool {
        guard lines.count <= mostLines else { return false }
        if let last = lines.last?.last, "\\^`|".contains(last) { return true }
        // A quote that is not closed.
        do throws(Diagnostic) { _ = try ShellLexer.commands(in: lines.joined(separator: "\n"), file: "") } catch { return true }
        return false
    }
}
