package import SortieBase
internal import SortieHTTP
package import WorkspaceModel

/// The sections of endpoints in YAML, as in their files.
package struct YAMLSections: SectionFormat {
    let folders: UserFolders?

    /// Creates the format.
    ///
    /// - Parameter folders: The folders of the user, to which `~` in paths refers; nil leaves it.
    package init(folders: UserFolders? = nil) { self.folders = folders }

    package func text(of section: EndpointSection, in endpoint: Endpoint) -> String {
        if let text = endpoint.unreadableSections[section] { return text }
        if section == .description { return endpoint.summary ?? "" }
        guard let value = formValue(ofKey: section.rawValue, in: endpoint) else { return "" }
        return Self.text(of: value)
    }

    /// The text of a nested value: a line for each item or member, as far as it is short.
    static func text(of value: YAMLValue) -> String {
        if case .sequence(let items) = value { return items.map(Self.item).joined(separator: "\n") }
        guard case .mapping(let entries) = value, !entries.isEmpty else { return YAMLText.block(value, indentation: 0) }
        return entries.map(Self.lines).joined(separator: "\n")
    }

    /// The longest mapping on one line, which must be readable in a narrow pane.
    private static let longestLine = 48

    /// An entry; a mapping that is longer than a line has a line for each of its members.
    private static func lines(_ entry: YAMLValue.Member) -> String {
        let key = YAMLText.key(entry.key, inFlow: false)
        guard case .mapping(let members) = entry.value, YAMLText.flow(entry.value).count + key.count > longestLine else {
            return YAMLText.entry(key, entry.value, indentation: 0)
        }
        let lines = members.map { YAMLText.spaces(2) + YAMLText.entry(YAMLText.key($0.key, inFlow: false), $0.value, indentation: 2) }
        return ([key + ":"] + lines).joined(separator: "\n")
    }

    /// An item of a list, such as a plugin with its options.
    private static func item(_ value: YAMLValue) -> String {
        guard case .mapping(let entries) = value, entries.count == 1 else { return "- " + YAMLText.flow(value) }
        return "- " + lines(entries[0]).replacing("\n", with: "\n" + YAMLText.spaces(2))
    }

    package func problem(of text: String, as section: EndpointSection) -> Diagnostic? {
        do throws(Diagnostic) {
            var endpoint = Endpoint(target: "", name: "", path: "")
            try read(section, of: &endpoint, from: text)
            return nil
        } catch { return error }
    }

    package func set(_ section: EndpointSection, of endpoint: inout Endpoint, to text: String) {
        do throws(Diagnostic) {
            var result = endpoint
            try read(section, of: &result, from: text)
            result.unreadableSections[section] = nil
            // As in a file without a method.
            if endpoint.grpc == nil, result.grpc != nil { result.method = result.defaultMethod }
            endpoint = result
        } catch { endpoint.unreadableSections[section] = text }
    }

    package func keys(of section: EndpointSection) -> [SectionKey] {
        guard section != .description else { return [] }
        let keys: WorkspaceKeys? =
            switch section {
            case .expect: .expect
            case .page: .page
            case .parameters: .parameters
            case .cache: .cache
            case .retry: .retry
            case .download: .download
            case .hooks: .hook
            case .grpc: .grpc
            case .examples: .example
            case .description, .capture, .reform, .variables, .plugins, .messages: nil
            }
        let plain = Self.plain
        if section == .plugins { return Self.pluginKeys }
        let named = keys?.keys.map { SectionKey($0.name, plain($0.value), plain($0.summary)) }
        return named
            ?? WorkspaceKeys.endpoint.keys.filter { $0.name == section.rawValue }.map { SectionKey("NAME", plain($0.value), plain($0.summary)) }
    }

    /// The plugins with the names of their options.
    static var pluginKeys: [SectionKey] {
        let options: [WorkspaceKeys] = [.token, .sign, .errorFilter, .signals, .debugLog, .encrypt]
        return PluginSetting.names.map { name in
            let names = options.first { $0.heading == "plugin \(name)" }?.names ?? []
            return SectionKey("- \(name)", names.isEmpty ? "without options" : "options", names.joined(separator: ", "))
        }
    }

    package var endpointKeys: [SectionKey] {
        // The key of earlier versions is edited under `expect`.
        WorkspaceKeys.endpoint.keys.filter { $0.name != "answer" }.map { SectionKey($0.name, Self.plain($0.value), Self.plain($0.summary)) }
    }

    package func value(ofKey key: String, in endpoint: Endpoint) -> String? {
        if let section = EndpointSection(rawValue: key), let text = endpoint.unreadableSections[section] {
            return text.split(whereSeparator: \.isNewline).first.map(String.init)
        }
        guard let value = formValue(ofKey: key, in: endpoint) else { return nil }
        switch value {
        case .text(let text), .string(let text), .token(let text), .block(let text), .json(let text):
            return text.split(whereSeparator: \.isNewline).first.map(String.init)
        case .mapping, .sequence: return YAMLText.flow(value)
        }
    }

    private func formValue(ofKey key: String, in endpoint: Endpoint) -> YAMLValue? {
        let form = EndpointForm(source: nil, original: nil, folder: "", root: "", base: Timeouts())
        var endpoint = endpoint
        // What the file has under `answer` is edited under `expect`, and then written there.
        endpoint.expectation?.usesAnswerKey = false
        return form.value(of: endpoint).member(key)
    }

    /// A text of the key table without its Markdown.
    static func plain(_ text: String) -> String { text.filter { $0 != "`" && $0 != "*" } }

    /// - Throws: The first problem, also a warning such as an unknown key, because the text is replaced by what was read.
    private func read(_ section: EndpointSection, of endpoint: inout Endpoint, from text: String) throws(Diagnostic) {
        guard section != .description else {
            endpoint.summary = text.isEmpty ? nil : text
            return
        }
        // As the lines of a file: without the last line break, a block text would lose the line break that it ends with.
        let node = try YAMLDocument(bytes: Array((text + "\n").utf8), file: section.rawValue).root
        var reader = NodeReader(file: section.rawValue, folder: "", folders: folders)
        for key in EndpointKey.all where key.name == section.rawValue { reader.read(key, from: node, into: &endpoint) }
        if let problem = reader.problems.first { throw problem }
    }
}
