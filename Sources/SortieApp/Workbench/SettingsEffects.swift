internal import Dispatch
internal import SortieBase
internal import SortieStorage
internal import SortieTerminal
internal import SortieWorkbench
internal import Synchronization
internal import WorkspaceModel

/// The settings file: reading it, and watching it for changes.
final class SettingsEffects: Sendable {
    private let program: ProgramContext
    private let mailbox: Mailbox
    private let queue = DispatchQueue(label: "sortie.settings")
    /// Nil while there is no folder to watch.
    private let watch = Mutex<WorkspaceWatch?>(nil)

    init(in program: ProgramContext, mailbox: Mailbox) {
        (self.program, self.mailbox) = (program, mailbox)
    }

    /// Reports the settings whenever the file is written.
    ///
    /// - Parameter known: The settings that the program has; others are reported at once.
    func watchFile(_ known: Settings) {
        queue.async { [self] in
            let watch = WorkspaceWatch(FilePath.folder(of: SettingsFile.path(program.folders)), queue: queue) { [weak self] in self?.load() }
            self.watch.withLock { $0 = watch }
            // The file may have changed after it was read and before it was watched.
            let settings = SettingsFile.load(program.folders)
            if settings != known { mailbox.post(.settingsLoaded(settings)) }
        }
    }

    /// Watches the file where that was not possible before, because its folder was missing.
    func watchCreatedFile(_ known: Settings) {
        if watch.withLock({ $0 == nil }) { watchFile(known) }
    }

    /// Opens the file in the editor, and creates it where it is missing.
    ///
    /// - Parameter current: The settings with the command of the editor.
    func edit(_ place: SourceLocation, _ current: Settings) -> EditOutcome {
        do { try SettingsFile.create(place.file) } catch { return .failed("\(error)") }
        let outcome = Editor.open(place, in: FilePath.folder(of: place.file), command: current.editor, program: program)
        let settings = SettingsFile.load(program.folders)
        mailbox.post(.settingsLoaded(settings))
        watchFile(settings)
        return outcome
    }

    private func load() { mailbox.post(.settingsLoaded(SettingsFile.load(program.folders))) }
}

extension Screen.Options {
    /// The options of the settings.
    ///
    /// - Parameter usesColour: Whether the command line permits colours.
    init(_ settings: Settings, usesColour: Bool) {
        let colours: ColourDepth =
            switch settings.colours {
            case .none: .none
            case .basic: .basic
            case .extended: .extended
            case .rich: .rich
            }
        let glyphs: GlyphSet? =
            switch settings.characters {
            case .automatic: nil
            case .unicode: .unicode
            case .ascii: .ascii
            }
        let sequences: Bool? =
            switch settings.emoji {
            case .automatic: nil
            case .whole: true
            case .first: false
            }
        self.init(
            colours: usesColour ? colours : .none, theme: Theme.theme(of: settings).theme, mouse: settings.usesMouse, glyphs: glyphs,
            sequences: sequences)
    }
}
