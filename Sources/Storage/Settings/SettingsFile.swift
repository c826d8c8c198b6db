internal import Foundation
internal import SortieBase
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
        var settings = Settings()
        settings.path = path
        do throws(Diagnostic) {
            guard let bytes = try bytes(of: path) else { return settings }
            let document = try YAMLDocument(bytes: bytes, file: path)
            var reader = NodeReader(file: path, folder: FilePath.folder(of: path), folders: folders)
            reader.fill(&settings, from: document.root)
            settings.problems = reader.problems
        } catch {
            settings.problems = [error]
        }
        return settings
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
            throw WorkspaceError(.unwritable, file: folder, "the folder cannot be created: \(error.localizedDescription)")
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

    /// The text of a new file.
    static let template = """
        # The settings of Sortie. Remove a # to change a value; changes apply when the file is saved.
        # sortie config --check reports invalid lines; Settings in the palette (Ctrl-P) shows what applies.

        # theme: automatic          # dark, light, contrast
        # colors: 256               # 16, 8, none; NO_COLOR=1 means none
        # characters: automatic     # unicode, ascii
        # emoji: automatic          # sequences such as families: whole, first
        # mouse: true
        # editor: vi                # default: $VISUAL, $EDITOR
        # pager: less -R            # default: $PAGER
        # clipboard: auto           # osc52 (the terminal), tool (wl-copy, xclip, xsel, pbcopy, tmux), off
        # open:                     # programs for bodies by media type; default: xdg-open
        #   image/*: feh
        # downloads: ~/Downloads
        # confirm:
        #   quit: true              # ask while something is running or not saved
        #   delete: true            # ask before files or exchanges of the history are deleted
        #   overwrite: true         # ask before an existing file is replaced
        #   discard: false          # ask before unsaved changes or a partial file are discarded
        # history:
        #   days: 180
        #   exchanges: 200000
        #   bodies: 2GB             # all bodies together
        # layout:
        #   services: 34            # columns
        #   request: 40             # percent of the width or height shared with the response
        #   bottom: 10              # rows
        # git: true                 # mark files in Services that differ from the last commit
        # keymap: standard          # vi, emacs
        # keys:                     # the names in the palette; Pane/Name where two panes have one
        #   Quit: [Ctrl-Q, Alt-q]
        #   Transfers/Pause: p

        """
}
