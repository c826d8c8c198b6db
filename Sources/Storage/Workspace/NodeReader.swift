internal import SortieBase
internal import WorkspaceModel

/// Reads values from the nodes of one file and collects its problems.
struct NodeReader {
    /// A name in a template and the place of its use.
    struct Use {
        var segment: Template.Segment
        var location: SourceLocation
        /// The names that are known only at this place; nil outside of runs.
        ///
        /// Of the captures, a step knows only these.
        var own: Set<String>?
        /// Whether a condition finds out if the name is defined.
        var isOptional = false
    }

    /// The file's name relative to the workspace.
    let file: String
    /// The absolute folder to which paths in the file are relative.
    let folder: String
    /// The folders of the user, to which `~` in paths refers; nil for a text that is no file.
    let folders: UserFolders?
    /// Whether the text is a stored endpoint, whose values are taken as they are: only values of another type are reported.
    let isStored: Bool
    /// The problems found so far.
    var problems: [Diagnostic] = []
    /// The names that templates of the file use.
    var uses: [Use] = []
    /// The endpoints that plugins and `extends:` of the file refer to, with their locations.
    var targets: [(target: String, node: YAMLNode)] = []
    /// What the file of an endpoint says itself, for one that extends another.
    var ownKeys = EndpointExtension()

    init(file: String, folder: String, folders: UserFolders?) {
        (self.file, self.folders) = (file, folders)
        self.folder = folder
        isStored = false
    }

    /// Creates a reader of a ``StoredEndpoint``.
    init(storedEndpoint target: String) {
        file = target
        (folder, folders) = ("", nil)
        isStored = true
    }

    /// The location of a node.
    func place(_ node: YAMLNode) -> SourceLocation {
        SourceLocation(file: file, line: node.line, column: node.column)
    }

    /// Reports an error at a node.
    mutating func report(_ node: YAMLNode, _ message: String, severity: Diagnostic.Severity = .error) {
        problems.append(Diagnostic(place(node), message, severity: severity))
    }

    /// Reports a value that is read and cannot be used; nothing is reported of a stored endpoint, in which a user may still be editing it.
    mutating func reportInvalid(_ node: YAMLNode, _ message: String, severity: Diagnostic.Severity = .error) {
        if !isStored { report(node, message, severity: severity) }
    }

    /// The entries of a mapping with keys from `known`; reports other keys with the most similar known one.
    mutating func fields(_ node: YAMLNode, of what: String, known: WorkspaceKeys) -> [String: YAMLNode] {
        let known = known.names
        guard let entries = node.entries else {
            if !node.isNull {
                report(node, "\(what) must be a mapping with \(known.joined(separator: ", ")), not \(node.kindName)")
            }
            return [:]
        }
        var result: [String: YAMLNode] = [:]
        for entry in entries {
            guard let key = entry.key.text else {
                report(entry.key, "a key must be text, not \(entry.key.kindName)")
                continue
            }
            if known.contains(key) {
                result[key] = entry.value
            } else {
                let hint = Suggestion.nearest(to: key, in: known).map { "; did you mean “\($0)”?" }
                report(entry.key, "unknown key “\(key.shortened)”" + (hint ?? " in \(what)"), severity: .warning)
            }
        }
        return result
    }

    /// The name-value pairs of a mapping with user-defined keys, in the order of the file.
    mutating func pairs(_ node: YAMLNode?, of what: String) -> [(key: YAMLNode, name: String, value: YAMLNode)] {
        guard let node, !node.isNull else { return [] }
        guard let entries = node.entries else {
            report(node, "\(what) must be a mapping of names to values, not \(node.kindName)")
            return []
        }
        var result: [(key: YAMLNode, name: String, value: YAMLNode)] = []
        for entry in entries {
            guard let name = entry.key.text, isStored || !name.isEmpty else {
                report(entry.key, "a name in \(what) must be text, not \(entry.key.kindName)")
                continue
            }
            result.append((entry.key, name, entry.value))
        }
        return result
    }

    /// A scalar in its original notation: `007`, `1.0` and `yes` stay unchanged.
    mutating func text(_ node: YAMLNode?, _ what: String) -> String? {
        guard let node else { return nil }
        guard let text = node.text else {
            report(node, "\(what) must be text, not \(node.kindName)")
            return nil
        }
        return text
    }

    /// A text whose template names are recorded for ``TemplateCheck``.
    mutating func template(_ node: YAMLNode?, _ what: String) -> String? {
        guard let node, let text = text(node, what) else { return nil }
        note(text, at: node)
        return text
    }

    /// Records the names that `text` uses.
    mutating func note(_ text: String, at node: YAMLNode) {
        guard !isStored, text.contains("{{") else { return }
        for segment in Template(text).segments {
            if case .text = segment { continue }
            uses.append(Use(segment: segment, location: place(node)))
        }
    }

    /// A non-empty name.
    mutating func name(_ node: YAMLNode?, _ what: String) -> String? {
        guard let node, let text = text(node, what) else { return nil }
        guard isStored || !text.isEmpty else {
            report(node, "\(what) is empty")
            return nil
        }
        return text
    }

    /// `true` or `false`.
    mutating func bool(_ node: YAMLNode?, _ what: String) -> Bool? {
        guard let node else { return nil }
        guard case .scalar(let scalar) = node.content, scalar.type == .bool else {
            report(node, "\(what) must be true or false, not \(node.kindName)")
            return nil
        }
        return scalar.text.lowercased() == "true"
    }

    /// An integer in `range`.
    mutating func integer(_ node: YAMLNode?, _ what: String, in range: ClosedRange<Int>) -> Int? {
        guard let node else { return nil }
        guard let text = node.text, let value = Int(text), range.contains(value) else {
            report(node, "\(what) must be a whole number from \(range.lowerBound) to \(range.upperBound), not \(node.kindName)")
            return nil
        }
        return value
    }

    /// A duration.
    mutating func duration(_ node: YAMLNode?, _ what: String) -> Duration? {
        guard let node else { return nil }
        guard let text = node.text, let duration = DurationText.parse(text) else {
            report(node, "\(what) must be a duration, not \(node.kindName); \(DurationText.form)")
            return nil
        }
        return duration
    }

    /// One of the given words.
    mutating func word(_ node: YAMLNode?, _ what: String, of words: [String]) -> String? {
        guard let node, let text = text(node, what) else { return nil }
        guard words.contains(text) else {
            let hint = Suggestion.nearest(to: text, in: words).map { "; did you mean “\($0)”?" } ?? ""
            report(node, "\(what) must be one of \(words.joined(separator: ", ")), not “\(text.shortened)”\(hint)")
            return nil
        }
        return text
    }

    /// A list of texts; a single text is a list with one element.
    mutating func list(_ node: YAMLNode?, _ what: String) -> [(node: YAMLNode, text: String)] {
        guard let node, !node.isNull else { return [] }
        if let text = node.text { return [(node, text)] }
        guard let items = node.items else {
            report(node, "\(what) must be a list of texts, not \(node.kindName)")
            return []
        }
        var result: [(node: YAMLNode, text: String)] = []
        for item in items {
            if let text = text(item, "an item of \(what)") { result.append((item, text)) }
        }
        return result
    }

    /// Replaces `~/` in front of a path with the home folder, so that permission is for the file that is read.
    func expandingHome(_ text: String) -> String { isStored ? text : folders?.expanding(text) ?? text }

    /// Makes a path absolute: relative paths begin at the file's folder, `~/` is the home folder, and a path that begins with a template stays
    /// unchanged.
    func path(_ text: String) -> String {
        if isStored { return text }
        let text = expandingHome(text)
        return FilePath.isAbsolute(text) || text.hasPrefix("{{") ? text : FilePath.joining(folder, text)
    }
}
