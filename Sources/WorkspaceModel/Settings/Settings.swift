package import SortieBase

/// The settings of the user, from `$XDG_CONFIG_HOME/sortie/config.yaml`.
///
/// A value that the file does not set, or that is invalid there, has its default.
package struct Settings: Hashable, Sendable {
    /// The largest number of colours to use.
    package enum Colours: String, Hashable, Sendable, CaseIterable {
        case none
        case basic = "8"
        case extended = "16"
        case rich = "256"
    }

    /// The keys that are bound besides those of the table.
    package enum Keymap: String, Hashable, Sendable, CaseIterable {
        case standard, vi, emacs
    }

    /// How a text gets to the clipboard.
    package enum Clipboard: String, Hashable, Sendable, CaseIterable {
        /// By a program of the desktop, else by the terminal.
        case auto
        /// By the terminal, with the control sequence OSC 52.
        case osc52
        /// By a program of the desktop or tmux.
        case tool
        /// Nothing is copied.
        case off
    }

    /// The characters for borders, bars and marks.
    package enum Characters: String, Hashable, Sendable, CaseIterable {
        /// ASCII where the locale is not one of UTF-8.
        case automatic
        case unicode, ascii
    }

    /// How emoji that consist of several are drawn.
    package enum Emoji: String, Hashable, Sendable, CaseIterable {
        /// Whole in terminals that are known to draw them in two columns.
        case automatic
        /// As a whole.
        case whole
        /// The first emoji of the sequence, which has the same width in all terminals.
        case first
    }

    /// Other keys for a command.
    package struct KeyAssignment: Hashable, Sendable {
        /// The short name of the command in the palette, with its pane where several panes have one of this name: `Transfers/Pause`.
        package var command: String
        /// The labels of its keys; empty to remove its keys.
        package var keys: [String]
        /// The place in the file.
        package var location: SourceLocation

        /// Creates an assignment.
        package init(command: String, keys: [String], location: SourceLocation) {
            (self.command, self.keys, self.location) = (command, keys, location)
        }
    }

    /// The name of the theme: the colours of the workbench.
    package var theme = "automatic"
    /// The themes of the user.
    package var themes: [ThemeDefinition] = []
    /// The largest number of colours; a terminal with fewer uses what it has.
    package var colours = Colours.rich
    /// The characters for borders, bars and marks.
    package var characters = Characters.automatic
    /// How emoji that consist of several are drawn.
    package var emoji = Emoji.automatic
    /// Whether the mouse is used.
    package var usesMouse = true
    /// The command of the editor; nil for `$VISUAL`, `$EDITOR` or `vi`.
    package var editor: String?
    /// The command of the pager; nil for `$PAGER` or `less`.
    package var pager: String?
    /// How texts are copied.
    package var clipboard = Clipboard.auto
    /// The programs that open bodies.
    package var openCommands: [OpenCommand] = []
    /// The absolute path of the folder for downloads; nil for that of the desktop.
    package var downloads: String?
    /// Whether quitting asks while something is running or not saved.
    package var confirmsQuit = true
    /// Whether deleting files or exchanges of the history asks.
    package var confirmsDeleting = true
    /// Whether writing to an existing file asks.
    package var confirmsOverwriting = true
    /// Whether discarding unsaved changes or a partial file asks.
    package var confirmsDiscarding = false
    /// The maximum age of an exchange in the history, in days; nil for the default.
    package var historyDays: Int?
    /// The maximum number of exchanges in the history; nil for the default.
    package var historyExchanges: Int?
    /// The maximum size of all bodies in the history, in bytes; nil for the default.
    package var historyBytes: Int64?
    /// The bound keys.
    package var keymap = Keymap.standard
    /// Other keys for single commands.
    package var keys: [KeyAssignment] = []
    /// The width of Services in columns; nil for the automatic one.
    package var servicesWidth: Int?
    /// The share of the request of the width or height that it shares with the response, in percent; nil for the automatic one.
    package var requestShare: Int?
    /// The height of the bottom pane in rows; nil for the automatic one.
    package var bottomHeight: Int?

    /// Whether Services marks files that differ from the last commit.
    package var showsGit = true

    /// The path of the file, whether it exists or not.
    package var path = ""
    /// The places of the values that the file sets, by the key's path: `theme`, `layout.services`.
    package var places: [String: SourceLocation] = [:]
    /// What is invalid in the file.
    package var problems: [Diagnostic] = []

    /// Creates the defaults.
    package init() {}
}
