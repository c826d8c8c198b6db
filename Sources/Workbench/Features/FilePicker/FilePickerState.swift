internal import SortieBase
internal import SortieTerminal

/// A popup to choose a file from a folder.
///
/// Reading the folder is an effect; the typed text is kept until it has a result.
struct FilePicker: Sendable {
    /// The state of reading the folder.
    enum State: Hashable, Sendable {
        case reading
        case read(isCut: Bool)
        case failed(String)
    }

    /// What is done with the path of the chosen file; the popup is closed before.
    typealias Choice = @Sendable (String, inout AppState) -> [Effect]

    /// What the file is chosen for.
    enum Purpose: Hashable, Sendable {
        /// An endpoint refers to the file.
        case reference
        /// The file, or a whole folder, is imported.
        case importing
    }

    /// The name of the entry that stands for the shown folder.
    static let wholeFolder = "."

    let purpose: Purpose
    let choose: Choice
    /// The folder that is shown or being read; absolute once it is read.
    private(set) var folder: String
    private(set) var state = State.reading
    /// A text that names must contain, or the beginning of a path.
    private(set) var filter = TextField()
    private(set) var entries: [FolderEntry] = []
    /// The indices of the matching entries, those that begin with the text first.
    private(set) var shown: [Int] = []
    private(set) var showsHidden = false
    var selected = 0
    /// The name to select once the folder is read: the folder the user came from, or the current file.
    private var wanted: String?

    init(folder: String, wanted: String?, purpose: Purpose, choose: @escaping Choice) {
        self.purpose = purpose
        self.choose = choose
        self.folder = folder
        self.wanted = wanted
    }

    var chosen: FolderEntry? { shown.indices.contains(selected) ? entries[shown[selected]] : nil }

    /// Changes to another folder.
    mutating func go(to path: String, wanted: String? = nil) {
        self.wanted = wanted
        folder = path
        filter = TextField()
        entries = []
        shown = []
        selected = 0
    }

    /// Changes to the parent folder, with the current one selected; nil at the root.
    mutating func goUp() -> String? {
        let absolute = FilePath.isAbsolute(folder)
        guard folder != "/", absolute else { return nil }
        go(to: FilePath.folder(of: folder), wanted: FilePath.name(of: folder))
        return folder
    }

    /// Handles typed text: part of a name, or a path up to its last `/`.
    ///
    /// Returns the folder to read for a path.
    mutating func setText(_ text: TextField) -> String? {
        let typed = text.text
        if let slash = typed.utf8.lastIndex(of: UInt8(ascii: "/")) {
            let path = String(typed[..<slash])
            let rest = String(typed[typed.utf8.index(after: slash)...])
            go(to: path.isEmpty ? "/" : path.hasPrefix("~") ? path : FilePath.joining(folder, path))
            filter = TextField(rest)
            return folder
        }
        let isNarrower = typed.lowercased().hasPrefix(filter.text.lowercased()) && !filter.isEmpty
        filter = text
        match(among: isNarrower ? shown.sorted() : nil)
        return nil
    }

    mutating func toggleHidden() {
        showsHidden.toggle()
        let name = chosen?.name
        match(among: nil)
        select(name)
    }

    /// Completes the text with the common prefix of all shown names that begin with it.
    mutating func complete() {
        let key = Array(filter.text.lowercased().utf8)
        var names: [String] = []
        for index in shown where entries[index].searchKey.starts(with: key) { names.append(entries[index].name) }
        guard var common = names.first else { return }
        for name in names { common = common.commonPrefix(with: name) }
        if common.count > filter.text.count { filter = TextField(common) }
        match(among: nil)
    }

    /// Handles the listing of the folder.
    mutating func take(_ listing: FolderListing) {
        switch listing {
        case .failed(let sentence): state = .failed(sentence)
        case .entries(let entries, let path, let isCut):
            folder = path
            self.entries = (purpose == .importing ? [FolderEntry(name: Self.wholeFolder, kind: .folder)] : []) + entries
            state = .read(isCut: isCut)
            if wanted?.hasPrefix(".") == true { showsHidden = true }
            match(among: nil)
            select(wanted)
            wanted = nil
        }
    }

    private mutating func select(_ name: String?) {
        guard let name, let index = shown.firstIndex(where: { entries[$0].name == name }) else { return }
        selected = index
    }

    /// Finds the matching entries; `candidates` limits the entries that can match.
    private mutating func match(among candidates: [Int]?) {
        let key = Array(filter.text.lowercased().utf8)
        // A typed dot shows names that begin with a dot.
        let allowsHidden = showsHidden || key.first == 0x2e
        var beginning: [Int] = []
        var containing: [Int] = []
        for index in candidates ?? Array(entries.indices) {
            let entry = entries[index]
            guard allowsHidden || !entry.isHidden || entry.name == Self.wholeFolder else { continue }
            if entry.searchKey.starts(with: key) {
                beginning.append(index)
            } else if entry.searchKey.contains(bytes: key) {
                containing.append(index)
            }
        }
        shown = beginning + containing
        selected = 0
    }
}

extension String {
    /// The common prefix of both strings.
    fileprivate func commonPrefix(with other: String) -> String {
        String(zip(self, other).prefix { $0 == $1 }.map(\.0))
    }
}

extension Context {
    /// A popup that shows a folder.
    static let files = Context("Choosing a file")
}

extension Command {
    static let folderUp = Command.named("folderUp", isInPalette: false)
    static let completeName = Command.named("completeName", isInPalette: false)
    static let toggleHidden = Command.named("toggleHidden", isInPalette: false)
}

extension FilePickerFeature {
    var bindings: [Binding] {
        [
            Binding(.files, [.up], .move(.up), "Up", "Move up"),
            Binding(.files, [.down], .move(.down), "Down", "Move down"),
            Binding(.files, [.pageUp], .move(.pageUp), "Page up", "Move up by a page"),
            Binding(.files, [.pageDown], .move(.pageDown), "Page down", "Move down by a page"),
            Binding(.files, [.enter, .right], .choose, "Open", "Open the folder, or choose the file", hint: 1),
            Binding(.files, [.left], .folderUp, "Up", "Go to the folder above; so does Backspace", hint: 2),
            Binding(.files, [.tab], .completeName, "Complete", "Complete the common beginning of the names", hint: 3),
            Binding(.files, [.control("t")], .toggleHidden, "Hidden", "Show or hide hidden files", hint: 4),
            Binding(.files, [.escape, .control("c")], .close, "Close", "Close without choosing", hint: 5),
        ]
    }
}

/// Reading the folder of the file picker.
package struct ListFolderJob: WorkJob {
    static let isReplaced = true

    /// The folder; a leading `~` is the user's home.
    package let folder: String

    /// The listing for a closed picker is dropped.
    func finish(_ listing: FolderListing, _ state: inout AppState) -> [Effect] {
        state.popups.change(FilePicker.self) { $0.take(listing) }
        return []
    }
}

/// Choosing a file from a folder.
struct FilePickerFeature: Feature {
    let stacks: [[Context]] = [[.files, .field]]

    /// Opens the file picker in a folder, with a name selected.
    static func open(
        in folder: String, wanted: String?, for purpose: FilePicker.Purpose = .reference, _ state: inout AppState,
        choose: @escaping FilePicker.Choice
    ) -> [Effect] {
        state.popups.push(FilePicker(folder: folder, wanted: wanted, purpose: purpose, choose: choose))
        return state.start(ListFolderJob(folder: folder))
    }
}

extension FilePicker: TablePopup {
    static let choosesByClick = true
    var contexts: [Context] { [.files, .field] }
    var guideAddress: String? { purpose == .importing ? "import#import" : "bodies#parts-and-files" }
    var count: Int { shown.count }

    mutating func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        switch command {
        case .move(let movement): move(movement, state)
        case .choose: return chooseSelected(&state)
        case .folderUp: return goUp(&state)
        case .text(.deleteBefore) where filter.isEmpty: return goUp(&state)
        case .completeName:
            // The only matching folder is opened.
            if shown.count == 1, chosen?.isFolder == true { return chooseSelected(&state) }
            complete()
        case .toggleHidden: toggleHidden()
        case .close:
            state.stopJobs(ListFolderJob.self)
            state.popups.pop()
        default: return nil
        }
        return []
    }

    func typedText(_ state: AppState) -> TypedText? { TypedText(filter) }

    mutating func type(_ change: TextChange, _ state: inout AppState) -> [Effect] {
        var text = filter
        text.apply(change)
        return setText(text).map { read($0, &state) } ?? []
    }

    private mutating func read(_ folder: String, _ state: inout AppState) -> [Effect] {
        self.state = .reading
        return state.start(ListFolderJob(folder: folder))
    }

    private mutating func goUp(_ state: inout AppState) -> [Effect] { goUp().map { read($0, &state) } ?? [] }

    /// Opens the selected folder or chooses the selected file.
    mutating func chooseSelected(_ state: inout AppState) -> [Effect] {
        guard let entry = chosen else { return [] }
        if entry.name == Self.wholeFolder {
            state.popups.pop()
            return choose(folder, &state)
        }
        let path = FilePath.joining(folder, entry.name)
        if entry.isFolder {
            go(to: path)
            return read(path, &state)
        }
        guard case .file = entry.kind else {
            state.toast = Toast("\(entry.name) is not a file that can be \(purpose == .importing ? "imported" : "sent")", .warning)
            return []
        }
        guard purpose == .importing || !path.contains("{{"), !path.unicodeScalars.contains("\u{fffd}") else {
            state.toast = Toast("A workspace cannot refer to this file: its path contains {{ or is not UTF-8; rename it", .warning)
            return []
        }
        state.popups.pop()
        return choose(path, &state)
    }
}
