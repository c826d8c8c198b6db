package import SortieBase
package import SortieHTTP
package import WorkspaceModel

/// The settings of services in YAML, as in their files.
extension YAMLSections {
    /// The mappings whose members are read together, so that each alone is no value.
    private static let wholes: Set = ["tunnel", "envelope", "parameters", "https", "contract"]
    /// The key whose value is a text of several lines that is no YAML.
    private static let description = "description"
    /// The member that a scalar in the place of a mapping stands for.
    private static let shortForms = ["proxy": "url"]
    /// The members of which a mapping has exactly one, and without which there is no mapping.
    private static let alternatives: [String: Set] = ["proxy": ["url", "pac"]]

    package var serviceKeys: [ServiceKey] { Self.allServiceKeys }

    private static let allServiceKeys = WorkspaceKeys.service.keys.filter { !["servers", "headers", "auth"].contains($0.name) }
        .flatMap { key -> [ServiceKey] in
            guard let mapping = mapping(of: key) else { return [YAMLSections.key([key.name], key, hasLines: hasLines(key))] }
            return mapping.keys.map { YAMLSections.key([key.name, $0.name], $0, hasLines: false) }
        }

    /// The mapping whose members are separate settings; nil where the value is one setting.
    private static func mapping(of key: WorkspaceKeys.Key) -> WorkspaceKeys? {
        guard !wholes.contains(key.name) else { return nil }
        return WorkspaceKeys.all.first { $0.heading == key.name && key.value.contains("*\($0.heading)*") }
    }

    private static func hasLines(_ key: WorkspaceKeys.Key) -> Bool {
        key.name == description || key.name != "https" && wholes.contains(key.name) || key.value == "rows" || key.value.hasPrefix("list of *")
    }

    private static func key(_ path: [String], _ key: WorkspaceKeys.Key, hasLines: Bool) -> ServiceKey {
        var result = ServiceKey(path, form: plain(key.value), summary: plain(key.summary))
        result.hasLines = hasLines
        let parts = key.value.split(separator: "`", omittingEmptySubsequences: false)
        if key.value == "boolean" {
            result.words = ["true", "false"]
        } else if parts.count > 3, parts.enumerated().allSatisfy({ $0.offset % 2 == 1 || ["", ", "].contains($0.element) }) {
            result.words = parts.enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
        }
        return result
    }

    package func keys(of key: ServiceKey) -> [SectionKey] {
        if key.root == "plugins" { return Self.pluginKeys }
        let heading = ["hooks": "hook", "publicParameters": "row"][key.root] ?? key.root
        let keys = WorkspaceKeys.all.first { $0.heading == heading }?.keys ?? []
        return keys.map { SectionKey($0.name, Self.plain($0.value), Self.plain($0.summary)) }
    }

    package func texts(of service: Service, folder: String, base: Timeouts) -> [ServiceKey: String] {
        let members = ServiceForm(root: folder, base: base).members(of: service)
        var texts: [ServiceKey: String] = [:]
        for key in Self.allServiceKeys { texts[key] = Self.value(at: key.path, in: members).map { Self.text(of: $0, as: key) } }
        return texts
    }

    private static func text(of value: YAMLValue, as key: ServiceKey) -> String {
        if key.hasLines, !value.isScalar { return text(of: value) }
        switch value {
        case .text(let text), .string(let text), .token(let text), .block(let text), .json(let text): return text
        case .sequence(let items):
            let texts = items.map { if case .text(let text) = $0 { text } else { YAMLText.flow($0) } }
            let isPlain = texts.allSatisfy { !$0.isEmpty && !$0.contains(",") && !$0.contains(where: \.isNewline) }
            return isPlain ? texts.joined(separator: ", ") : YAMLText.flow(value)
        case .mapping: return YAMLText.flow(value)
        }
    }

    private static func value(at path: [String], in members: [YAMLValue.Member]) -> YAMLValue? {
        guard let value = members.first(where: { $0.key == path[0] })?.value, path.count > 1 else {
            return members.first { $0.key == path[0] }?.value
        }
        if case .mapping(let inner) = value { return inner.first { $0.key == path[1] }?.value }
        return shortForms[path[0]] == path[1] ? value : nil
    }

    package func setting(_ key: ServiceKey, of service: Service, to text: String, in workspace: Workspace) throws(Diagnostic) -> Service {
        let form = ServiceForm(root: workspace.folder, base: workspace.timeouts)
        let before = form.members(of: service)
        var others = before
        let old = others.firstIndex { $0.key == key.root }.map { others.remove(at: $0).value }
        let typed = text.trimmingBlanks
        var lines = ""
        if key.root == Self.description, !typed.isEmpty {
            lines = YAMLText.entry(key.root, .text(text), indentation: 0) + "\n"
        } else if key.hasLines, !typed.isEmpty {
            let indented = text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.isEmpty ? "" : "  " + $0 }
            lines = "\(key.root):\n\(indented.joined(separator: "\n"))\n"
        } else if let value = try Self.value(of: key, replacing: old, with: typed) {
            lines = YAMLText.entry(key.root, value, indentation: 0) + "\n"
        }
        let (result, problems) = try read(lines, others, knowing: before, of: service, in: workspace)
        if let problem = Self.first(of: problems, in: key.hasLines ? lines : "") { throw problem }
        return result
    }

    /// The value of the key in the root with another text of a setting; nil for none.
    private static func value(of key: ServiceKey, replacing old: YAMLValue?, with text: String) throws(Diagnostic) -> YAMLValue? {
        let new = text.isEmpty ? nil : try value(of: text, of: key)
        guard key.path.count > 1 else { return new }
        var members: [YAMLValue.Member] = []
        switch old {
        case .mapping(let inner)?: members = inner
        case let scalar?: if let name = shortForms[key.root] { members = [.init(name, scalar)] }
        case nil: break
        }
        if let alternatives = alternatives[key.root], alternatives.contains(key.path[1]) {
            if new == nil { return members.contains { $0.key == key.path[1] } ? nil : old }
            members.removeAll { $0.key != key.path[1] && alternatives.contains($0.key) }
        }
        if let index = members.firstIndex(where: { $0.key == key.path[1] }) {
            if let new { members[index].value = new } else { members.remove(at: index) }
        } else if let new {
            members.append(.init(key.path[1], new))
        }
        if members.count == 1, members[0].key == shortForms[key.root] { return members[0].value }
        return members.isEmpty ? nil : .mapping(members)
    }

    /// The value that a typed text is: a list has commas between its items, and a text in brackets is YAML.
    private static func value(of text: String, of key: ServiceKey) throws(Diagnostic) -> YAMLValue {
        if text.hasPrefix("[") || text.hasPrefix("{") && !text.hasPrefix("{{") {
            let root = try YAMLDocument(bytes: Array(text.utf8), file: key.path.joined(separator: ".")).root
            if let value = root.flatMap({ YAMLValue(json: $0) }) { return value }
        }
        guard key.form.hasPrefix("list of") else { return .text(text) }
        return .sequence(text.split(separator: ",").map { .text(String($0).trimmingBlanks) }.filter { $0 != .text("") })
    }

    /// Reads a service whose file has these lines, and then other members.
    ///
    /// - Returns: The service, and the problems that a file with the known members does not have.
    private func read(
        _ lines: String, _ others: [YAMLValue.Member], knowing known: [YAMLValue.Member], of service: Service, in workspace: Workspace
    ) throws(Diagnostic) -> (Service, [Diagnostic]) {
        let folder = FilePath.joining(workspace.folder, service.folder)
        func read(_ text: String) throws(Diagnostic) -> (Service, [Diagnostic]) {
            var reader = NodeReader(file: "service.yaml", folder: folder, folders: folders)
            let result = reader.service(
                try YAMLDocument(bytes: Array(text.utf8), file: "service.yaml").root, folder: service.folder, workspace: workspace)
            return (result, reader.problems)
        }
        func text(_ members: [YAMLValue.Member]) -> String { members.isEmpty ? "" : YAMLText.block(.mapping(members), indentation: 0) + "\n" }
        let known = Set(try read(text(known)).1.map(\.message))
        var (result, problems) = try read(lines + text(others))
        (result.endpoints, result.location) = (service.endpoints, service.location)
        problems.removeAll { known.contains($0.message) }
        return (result, problems)
    }

    /// The first problem, with its place in a text of several lines; that of another one has only the message.
    private static func first(of problems: [Diagnostic], in lines: String) -> Diagnostic? {
        guard var problem = problems.first else { return nil }
        let isInside = !lines.isEmpty && problem.location.line > 1 && problem.location.line <= lines.count(where: { $0 == "\n" })
        problem.location =
            isInside
            ? SourceLocation(file: "", line: problem.location.line - 1, column: max(1, problem.location.column - 2)) : .nowhere
        return problem
    }

    package func problem(ofKey key: String, in service: Service, of workspace: Workspace) -> Diagnostic? {
        var others = ServiceForm(root: workspace.folder, base: workspace.timeouts).members(of: service)
        guard let index = others.firstIndex(where: { $0.key == key }) else { return nil }
        let lines = YAMLText.entry(key, others.remove(at: index).value, indentation: 0) + "\n"
        do throws(Diagnostic) {
            return Self.first(of: try read(lines, others, knowing: others, of: service, in: workspace).1, in: "")
        } catch { return error }
    }
}
