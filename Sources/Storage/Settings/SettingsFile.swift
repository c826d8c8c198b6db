internal import Foundation
package import SortieBase
package import WorkspaceModel

/// The settings file of the user, `$XDG_CONFIG_HOME/sortie/config.yaml`.
package enum SettingsFile {
    /// The path of the file.
    package static func path(_ folders: UserFolders) -> String { folders.configuration + "/sortie/config.yaml" }

    /// Reads the settings.
    ///
    /// An invalid value keeps its default and is reported in ``Settings/problems``; the other values apply. A missing file has the defaults.
    package static func load(_ folders: UserFolders) -> Settings { load(path(folders), folders) }

    static func load(_ path: String, _ folders: UserFolders) -> Settings {
        do throws(Diagnostic) { return try read(try bytes(of: path) ?? [], path, folders) } catch {
            var settings = Settings()
            (settings.path, settings.problems) = (path, [error])
            return settings
        }
    }

    private static func read(_ bytes: [UInt8], _ path: String, _ folders: UserFolders) throws(Diagnostic) -> Settings {
        var settings = Settings()
        settings.path = path
        var reader = NodeReader(file: path, folder: FilePath.folder(of: path), folders: folders)
        reader.fill(&settings, from: try YAMLDocument(bytes: bytes, file: path).root)
        settings.problems = reader.problems
        return settings
    }

    /// Sets a value of the file, or removes it; only its lines change, and a missing file is created.
    ///
    /// - Parameters:
    ///   - keys: The keys from the root.
    ///   - value: The value; nil for the default.
    /// - Returns: The new settings.
    /// - Throws: When the value is not valid, and when the file cannot be read, changed or written.
    package static func change(_ keys: [String], to value: SettingValue?, _ folders: UserFolders) throws(Diagnostic) -> Settings {
        let path = path(folders)
        do throws(WorkspaceError) { try create(path) } catch { throw Diagnostic(SourceLocation(file: path), error.message) }
        let old = try bytes(of: path) ?? []
        let document = try YAMLDocument(bytes: old, file: path)
        let new: [UInt8]
        do throws(CannotPatch) { new = try changed(document, keys, to: value) } catch {
            throw Diagnostic(SourceLocation(file: path), "the file is written in a way that cannot be changed here; change it in the editor")
        }
        let before = try read(old, path, folders).problems.map(\.message)
        let settings = try read(new, path, folders)
        if let problem = settings.problems.first(where: { !before.contains($0.message) }) { throw problem }
        do throws(WorkspaceError) { try AtomicFile.write(new, to: path, newMode: 0o600) } catch {
            throw Diagnostic(SourceLocation(file: path), error.message)
        }
        return settings
    }

    private static func changed(_ document: YAMLDocument, _ keys: [String], to value: SettingValue?) throws(CannotPatch) -> [UInt8] {
        let (source, parents) = (document.source, Array(keys.dropLast()))
        guard let name = keys.last else { throw CannotPatch() }
        let yaml: YAMLValue? =
            switch value {
            case .text(let text): .text(text)
            case .list(let texts): .sequence(texts.map { .text($0) })
            case nil: nil
            }
        guard let root = document.root, root.entries?.isEmpty == false else {
            guard let yaml else { return source.bytes }
            guard document.root == nil || document.root?.isNull == true else { throw CannotPatch() }
            let text = entry(keys[...], yaml, indentation: 0)
            return source.bytes + (source.bytes.isEmpty || source.bytes.last == 0x0A ? [] : [0x0A]) + Array((text + "\n").utf8)
        }
        var patch = YAMLPatch(source: source)
        let indentation = root.column - 1
        if let yaml, let last = root.entries?.last, root.node(at: [keys[0]]) == nil, !source.isFlow(root) {
            let end = try patch.end(of: last, indentation: indentation)
            guard source.isLastOnLine(end) else { throw CannotPatch() }
            patch.insertLines(YAMLText.spaces(indentation) + entry(keys[...], yaml, indentation: indentation), atLineAfter: end)
        } else if let yaml {
            try patch.set(name, to: yaml, from: nil, at: parents, in: root)
        } else if root.node(at: keys) != nil {
            try patch.remove(name, at: parents, in: root)
        }
        return try patch.applied()
    }

    /// The lines of a new key.
    ///
    /// A group is in block style, like in the template, so that each further value of it is a line.
    private static func entry(_ keys: ArraySlice<String>, _ value: YAMLValue, indentation: Int) -> String {
        let key = YAMLText.key(keys.first ?? "", inFlow: false)
        guard keys.count > 1 else { return YAMLText.entry(key, value, indentation: indentation) }
        return "\(key):\n" + YAMLText.spaces(indentation + 2) + entry(keys.dropFirst(), value, indentation: indentation + 2)
    }

    /// Writes a file with explanations in which nothing is set, unless there is one.
    ///
    /// - Throws: When the file cannot be written.
    package static func create(_ path: String) throws(WorkspaceError) {
        guard !FileManager.default.fileExists(atPath: path) else { return }
        let folder = FilePath.folder(of: path)
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw WorkspaceError(.unwritable, file: folder, "the folder cannot be created: \(error.systemReason)")
        }
        try AtomicFile.write(Array(template.utf8), to: path, newMode: 0o600)
    }

    private static func bytes(of path: String) throws(Diagnostic) -> [UInt8]? {
        var status = stat()
        // A link is followed, because settings are often links to another folder; a pipe and a device are not read.
        if stat(path, &status) != 0, errno == ENOENT { return nil }
        do throws(WorkspaceError) { return try WorkspaceFile.bytes(at: path) } catch {
            throw Diagnostic(SourceLocation(file: path), "\(error.message); the default settings apply until a readable file is there")
        }
    }

    /// The text of a new file: every key with a comment.
    static let template: String = {
        var lines = [
            "# The settings of Sortie. Remove a # to change a value; changes apply when the file is saved.",
            "# sortie config --check reports invalid lines; Settings in the workbench (,) changes values and shows what applies.", "",
        ]
        var group = ""
        for key in SettingKey.all {
            if key.keys.count == 2, key.keys[0] != group { lines.append("# \(key.keys[0]):") }
            group = key.keys[0]
            let value = (key.keys.count == 2 ? "  " : "") + "\(key.keys[key.keys.count - 1]): \(key.example)"
            let choices: String = if case .words(let words, _, _) = key.form { "; " + words.joined(separator: ", ") } else { "" }
            lines.append("# \(value.padding(toLength: max(26, value.count + 1), withPad: " ", startingAt: 0))# \(key.summary)\(choices)")
        }
        return lines.joined(separator: "\n") + """

            # open:                     # programs for bodies by media type; default: xdg-open
            #   image/*: feh
            # themes:                   # themes of your own; see sortie guide settings#colours
            #   mine: {base: dark, focus: "#88c0d0", warning: 215}
            # keys:                     # the names in the palette; Pane/Name where two panes have one
            #   Quit: [Ctrl-Q, Alt-q]
            #   Transfers/Pause: p

            """
    }()
}
