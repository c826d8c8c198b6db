internal import ArgumentParser
internal import Foundation
internal import HistoryModel
internal import SortieBase
internal import SortieHTTP
internal import SortieStorage
internal import SortieTerminal
internal import WorkspaceModel

/// What the words of an unfinished command line can refer to: names of the workspace's files and exchanges of the history.
///
/// A shell starts the program for each press of Tab, in any folder. Nothing is run, sent or written; of a workspace whose files need not be read, only
/// the names of the files are used. A problem of the files means fewer candidates, because a message would damage the command line.
struct CompletionContext {
    /// The workspace that `-w` names, or the nearest one upward; nil where there is none.
    private let folder: WorkspaceFolder?
    /// The words of the command line without quotes and backslashes.
    private let words: [String]

    /// The folders of the process: ArgumentParser asks for candidates while it parses, and passes nothing of the invocation.
    private static var folders: UserFolders {
        UserFolders(environment: ProcessInfo.processInfo.environment, current: RealPath.workingFolder)
    }

    /// The number of exchanges that are offered.
    private static let exchangeLimit = 30

    /// - Parameter words: the words of the command line as the shell has them, with their quotes.
    init(words: [String]) {
        folder = Self.folder(of: words)
        self.words = words.map(Self.plain)
    }

    private static func folder(of words: [String]) -> WorkspaceFolder? {
        let long = "--workspace="
        if let word = words.last(where: { $0.hasPrefix(long) }) { return WorkspaceFolder(path: path(String(word.dropFirst(long.count))), folders) }
        if let option = words.lastIndex(where: { $0 == "-w" || $0 == "--workspace" }), option + 1 < words.count {
            return WorkspaceFolder(path: path(words[option + 1]), folders)
        }
        // A workspace of another user is not used unless it is named.
        guard let found = try? WorkspaceFolder.find(from: folders.current) else { return nil }
        return WorkspaceFolder(path: found, folders)
    }

    /// The path that a word of the command line means.
    private static func path(_ word: String) -> String { folders.expanding(plain(word)) }

    /// A word of the command line without its quotes and backslashes.
    private static func plain(_ word: String) -> String {
        var (text, quote, isEscaped): (String, Character?, Bool) = ("", nil, false)
        for character in word {
            if isEscaped || (character != "\\" || quote == "'") && (quote != nil ? character != quote : character != "'" && character != "\"") {
                text.append(character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else {
                quote = quote == nil ? character : nil
            }
        }
        return text
    }

    // MARK: Candidates

    /// The targets of endpoints.
    var targets: [CompletionCandidate] { (folder?.names().targets ?? []).map { CompletionCandidate($0) } }

    /// The folders of services.
    var services: [CompletionCandidate] { (folder?.names().services ?? []).map { CompletionCandidate($0) } }

    /// The names of runs, and the services and folders that can be run without a file.
    var runs: [CompletionCandidate] {
        guard let names = folder?.names() else { return [] }
        return names.runs.map { CompletionCandidate($0) }
            + Workspace.folders(of: names.targets).filter { !names.runs.contains($0) }.map { CompletionCandidate($0, "all endpoints") }
    }

    /// The names of environments.
    var environments: [CompletionCandidate] {
        guard let folder, let settings = try? folder.settings() else { return [] }
        return settings.environments.map { CompletionCandidate($0.name) }
    }

    /// The tags of endpoints and services, for which all files are read.
    var tags: [CompletionCandidate] {
        guard let folder, let workspace = try? folder.load() else { return [] }
        return workspace.tags.map { CompletionCandidate($0) }
    }

    /// The variables of the workspace's files, each with an equals sign, for which all files are read.
    var variables: [CompletionCandidate] {
        guard let folder, let workspace = try? folder.load() else { return [] }
        var names = Set(workspace.variables.keys).union(workspace.environments.flatMap(\.variables.keys))
        names.formUnion(workspace.endpoints.flatMap(\.variables.keys))
        return names.sorted().map { CompletionCandidate($0 + "=") }
    }

    /// The names of stored secrets.
    var storedSecrets: [CompletionCandidate] { ((try? SecretStore(stateFolder: Self.folders.state).names()) ?? []).map { CompletionCandidate($0) } }

    /// The steps of the run that the command line names, or of all runs.
    var steps: [CompletionCandidate] {
        guard let folder, let workspace = try? folder.load() else { return [] }
        let runs = workspace.runs
        var named = runs.filter { run in words.contains(run.name) }
        if named.isEmpty { named = words.compactMap { workspace.folderRun(of: $0)?.run } }
        var names: Set<String> = []
        return (named.isEmpty ? runs : named).flatMap { run in
            run.steps.filter { names.insert($0.name).inserted }.map { CompletionCandidate($0.name, "\(run.name): \($0.target)") }
        }
    }

    /// The newest exchanges of the workspace, or of all where there is no workspace.
    ///
    /// - Parameter prefix: precedes each number.
    func exchanges(prefix: String = "") -> [CompletionCandidate] {
        // Opening creates the file.
        guard FileManager.default.fileExists(atPath: HistoryStore.path(stateFolder: Self.folders.state)) else { return [] }
        let filter = HistoryFilter(folder.map { [HistoryFilter.Term(.workspace($0.path))] } ?? [])
        guard let page = try? HistoryStore.open(stateFolder: Self.folders.state).page(HistoryQuery(filter, limit: Self.exchangeLimit)),
            !page.items.isEmpty
        else { return [] }
        let items = page.items.map { item in
            let name = item.target ?? item.url
            return CompletionCandidate(
                "\(prefix)\(item.number)", "\(item.shownMethod.rawValue) \(name) \(item.statusText ?? item.outcome.rawValue)")
        }
        return [CompletionCandidate("\(prefix)last", "the newest")] + items
    }

    /// What `sortie export` takes.
    var exportTargets: [CompletionCandidate] {
        let names = folder?.names() ?? WorkspaceNames()
        return (names.services + names.targets + names.runs).map { CompletionCandidate($0) } + exchanges(prefix: "history:")
    }
}

extension CompletionKind {
    /// Targets of endpoints.
    static var target: CompletionKind { of(\.targets) }
    /// Folders of services.
    static var service: CompletionKind { of(\.services) }
    /// Names of runs.
    static var run: CompletionKind { of(\.runs) }
    /// Names of environments.
    static var environment: CompletionKind { of(\.environments) }
    /// Tags.
    static var tag: CompletionKind { of(\.tags) }
    /// Names of variables with an equals sign.
    static var variable: CompletionKind { of(\.variables) }
    /// Steps of a run.
    static var step: CompletionKind { of(\.steps) }
    /// Numbers of exchanges of the history.
    static var exchange: CompletionKind { of { $0.exchanges() } }
    /// Names of stored secrets.
    static var storedSecret: CompletionKind { of(\.storedSecrets) }
    /// Endpoints, services, runs and exchanges.
    static var exported: CompletionKind { of(\.exportTargets) }

    private static func of(_ candidates: @escaping @Sendable (CompletionContext) -> [CompletionCandidate]) -> CompletionKind {
        .custom { words, _, _ in
            candidates(CompletionContext(words: words)).compactMap { $0.line(for: CompletionShell.requesting) }
        }
    }
}

/// A word that can complete a command line.
struct CompletionCandidate: Hashable {
    let text: String
    /// What zsh and fish show beside it.
    let summary: String

    init(_ text: String, _ summary: String = "") {
        (self.text, self.summary) = (text, summary)
    }

    /// The line for a shell; nil for a word that cannot be displayed as it is, such as a file name with a line break or an escape sequence.
    ///
    /// bash expands the lines like the words of a command, so that a file named `$(command)` would run it: each word is quoted. zsh ends a word at a
    /// colon, fish at a tab.
    func line(for shell: CompletionShell?) -> String? {
        guard !text.isEmpty, VisibleText.of(text) == text, !text.contains(where: { $0.isNewline || $0 == "\t" }) else { return nil }
        let summary = VisibleText.of(summary.split(whereSeparator: \.isWhitespace).joined(separator: " "))
        switch shell {
        case .bash: return QuotedText.inApostrophes(text)
        case .zsh:
            let word = text.replacing(scalars: "\\", with: "\\\\").replacing(scalars: ":", with: "\\:")
            return summary.isEmpty ? word : "\(word):\(summary)"
        case .fish: return summary.isEmpty ? text : "\(text)\t\(summary)"
        default: return text
        }
    }
}
