internal import Dispatch
internal import Glibc
internal import HistoryModel
internal import SortieNetworking
internal import SortieStorage
internal import SortieTerminal
internal import SortieWorkbench
internal import Subprocess
internal import Synchronization
internal import SystemPackage
internal import WorkspaceModel

/// The main loop of the workbench: waits for input and actions, applies them, and draws once.
struct WorkbenchProgram {
    let program: ProgramContext
    let folder: WorkspaceFolder
    let environment: String?
    /// Variables with precedence over all files: `--var`, and the address of the demo server.
    let overrides: [String: String]
    let usesColour: Bool
    /// Whether exchanges are recorded.
    let keepsHistory: Bool
    /// Whether all permissions that the workspace's files need are granted while the program runs.
    let isTrusted: Bool
    /// The request that is opened with the cursor in its URL; nil to go to where the user was.
    var newRequest: NewRequest?
    var notices: [String] = []
    /// The address of the part of the guide that is offered as a tour; nil for none.
    var tour: String?

    /// A request that the user is about to type.
    struct NewRequest {
        /// The URL to begin with; nil for an empty one, in the scratch workspace.
        var url: String?
    }

    /// The tick interval in milliseconds while something is in flight.
    private static let tickInterval: Int32 = 100

    /// Runs until the user quits, or opens another workspace.
    func run() throws -> String? {
        let (next, failures, left) = try show()
        // The screen is closed, so the lines stay on the terminal.
        for failure in failures { program.errors.line("sortie: warning: \(failure)") }
        LeftDownloads(left, of: self).start()
        return next
    }

    /// Runs the workbench on the screen; the failures are those of storing its state at the end, and the downloads those that continue.
    private func show() throws -> (next: String?, failures: [String], left: [QueuedTransfer]) {
        let source = WorkbenchWorkspace(folder: folder, overrides: overrides)
        var workspace = try source.load()
        let environment = try WorkspaceSource.environment(environment, of: workspace)
        let mailbox = try Mailbox()
        var notices = notices
        let (unsaved, drafts) = DraftWriter.open(of: workspace, stateFolder: program.folders.state, mailbox: mailbox, notices: &notices)
        let opened = try openRequest(in: &workspace, of: source, unsaved: unsaved.endpoints)
        let permission = try WorkspacePermission.ofCommand(workspace, in: program, isTrusted: isTrusted, isForced: false)
        let parked = ParkedRequestWriter.open(workspace: workspace.folder, notices: &notices, in: program)
        let history = HistoryEffects(isOn: keepsHistory, in: program, mailbox: mailbox)
        let runner = EffectRunner(
            workspace: workspace, source: source, permission: permission, parked: parked, history: history, mailbox: mailbox)
        defer { runner.finish() }

        let settingsFile = SettingsEffects(in: program, mailbox: mailbox)
        let settings = SettingsFile.load(program.folders)
        var options = Screen.Options(settings, usesColour: usesColour)
        let hint = "sortie send and sortie list work without a terminal"
        // The terminal and the signals of its window are those of the process.
        guard program.ownsProcess else { throw CommandFailure(.usage, name: "terminal", "the workbench needs its own process", hint: hint) }
        var screen: Screen
        do { screen = try Screen(options) } catch { throw CommandFailure(.usage, name: "terminal", "\(error)", hint: hint) }
        let (unfinished, transfers) = TransferWriter.open(workspace: workspace.folder, in: program, mailbox: mailbox, notices: &notices)
        let runs = RunEffects.leftRuns(of: workspace, permission: permission, notices: &notices)
        let left = parked?.adopt(notices: &notices) ?? []
        var state = AppState(
            workspace: workspace, environment: environment, size: screen.size, unsaved: unsaved.endpoints, services: unsaved.services, runs: runs,
            notices: notices, tour: tour, folders: TransferFolders(program.folders),
            engineHeaders: Client.standardHeaders(.program(program.environment)),
            sections: YAMLSections(folders: program.folders), keepsHistory: keepsHistory,
            permitted: permission.permitted, keepsDrafts: ScratchWorkspace.contains(folder), settings: settings,
            exports: ExportChoice.all)
        state.overrides = overrides
        settingsFile.watchFile(settings)
        let places = recent(&notices)
        state.goBack(to: places, choosesEnvironment: self.environment != nil)
        var beginning: [Effect] = []
        if let opened {
            beginning = state.startTyping(in: opened, url: newRequest?.url)
        } else if let url = newRequest?.url {
            beginning = state.startTyping(url)
        }
        beginning += state.start(parked: left, transfers: unfinished, forms: unsaved.forms)
        for effect in beginning + state.watchGit() + state.listDetached() { runner.run(effect) }
        var (limits, known, displayed) = (HistoryRetention(settings), settings, settings)
        let clock = ContinuousClock()
        let start = clock.now
        var lastTick = start - .seconds(1)
        var isPainted = false

        while !state.isQuitting {
            screen.draw(state.draw())
            // After the first paint, because it reads more files.
            if !isPainted { runner.findProblems() }
            isPainted = true
            var timeout: Int32 = -1
            if state.wantsTicks {
                let passed = Int32(min(60_000, (clock.now - lastTick) / .milliseconds(1)))
                timeout = max(0, Self.tickInterval - max(0, passed))
            }
            var waited = [
                pollfd(fd: screen.inputDescriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: mailbox.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            poll(&waited, 2, timeout)

            var actions: [Action] = []
            while let event = screen.readEvent() { actions.append(.input(event)) }
            // Progress events do not wake the loop; they are taken on ticks.
            let isTick = state.wantsTicks && clock.now - lastTick >= .milliseconds(Int(Self.tickInterval))
            if waited[1].revents != 0 || isTick { actions += mailbox.take() }
            if isTick {
                lastTick = clock.now
                actions.append(.tick(now: (lastTick - start) / .seconds(1)))
            }
            for action in actions {
                for effect in state.update(action) { run(effect, on: &screen, runner: runner, settingsFile, state.settings) }
            }
            if state.settings != known {
                known = state.settings
                settingsFile.watchCreatedFile(known)
            }
            // The options have a theme, which is not built for every key.
            if state.displayedSettings != displayed {
                displayed = state.displayedSettings
                let wanted = Screen.Options(displayed, usesColour: usesColour)
                if wanted != options {
                    options = wanted
                    screen.use(options)
                }
            }
            if limits != HistoryRetention(state.settings) {
                limits = HistoryRetention(state.settings)
                history.apply(limits)
            }
            if actions.contains(where: \.mayEdit) { drafts.keep(state.unsavedEdits) }
            transfers?.keep(state.unfinishedTransfers)
            let isLeft = actions.contains { if case .input(.hangup) = $0 { true } else { false } }
            if state.isQuitting, !isLeft, !state.unsavedEdits.isEmpty, let failure = drafts.finish() { state.stay(because: failure) }
        }
        let draftFailure = drafts.finish()
        var failures = [draftFailure.map { "the unsaved edits could not be stored: \($0)" }, transfers?.finish()].compactMap(\.self)
        do { try PlaceStore(stateFolder: program.folders.state).keep(state.place) } catch { failures.append("\(error)") }
        return (state.nextWorkspace, failures, state.leftDownloads)
    }

    /// The workspaces that were open last.
    private func recent(_ notices: inout [String]) -> [WorkspacePlace] {
        do { return try PlaceStore(stateFolder: program.folders.state).places() } catch {
            notices.append("\(error)")
            return []
        }
    }

    /// The endpoint for the new request; nil when none is to be opened.
    private func openRequest(in workspace: inout Workspace, of source: WorkbenchWorkspace, unsaved: [EndpointDraft]) throws -> EndpointID? {
        guard newRequest != nil, ScratchWorkspace.contains(folder) else { return nil }
        let request: (id: EndpointID, isNew: Bool)
        do { request = try ScratchWorkspace.newRequest(in: workspace, unsaved: unsaved, program.folders) } catch { throw CommandFailure(error) }
        if request.isNew { workspace = try source.load() }
        return request.id
    }

    /// Performs effects that need the terminal, and passes the others to the runner.
    private func run(
        _ effect: Effect, on screen: inout Screen, runner: EffectRunner, _ settingsFile: SettingsEffects, _ settings: Settings
    ) {
        switch effect {
        case .redraw:
            screen.redraw()
        case .suspend:
            screen.suspend()
        case .edit(let job, let text, let suffix):
            screen.giveBack()
            let outcome = Editor.edit(text: text, suffix: suffix, command: settings.editor, in: program)
            screen.takeBack()
            runner.mailbox.post(.edited(job, outcome))
        case .openFile(let job, let place):
            screen.giveBack()
            let outcome = Editor.open(place, in: folder.path, command: settings.editor, program: program)
            screen.takeBack()
            runner.mailbox.post(.edited(job, outcome))
            runner.run(.reloadWorkspace)
        case .copyByTerminal(let job, let text):
            runner.mailbox.post(.copied(job, Clipboard.copy(text, to: screen, in: program)))
        case .showInPager(let job, let path):
            screen.giveBack()
            let outcome = runner.opened.showInPager(path, command: settings.pager)
            screen.takeBack()
            runner.mailbox.post(.bodyOpened(job, outcome))
        case .openBody(let job, let view, let mediaType):
            runner.open(job, view, mediaType: mediaType, settings)
        case .editSettings(let job, let place):
            screen.giveBack()
            let outcome = settingsFile.edit(place, settings)
            screen.takeBack()
            runner.mailbox.post(.edited(job, outcome))
        default:
            runner.run(effect)
        }
    }
}

extension TransferFolders {
    /// The folders of the user.
    ///
    /// Downloads go to the user's folder for downloads if it exists, otherwise to the working directory.
    fileprivate init(_ folders: UserFolders) {
        let downloads = folders.downloads
        self.init(
            home: folders.home, current: folders.current, downloads: RealPath.isFolder(downloads) ? downloads : folders.current,
            userDownloads: downloads)
    }
}

/// Stores unsaved edits on disk, so that a crash does not lose them.
enum DraftWriter {
    /// Returns the unsaved edits of earlier sessions, and the writer of those of this session.
    static func open(
        of workspace: Workspace, stateFolder: String, mailbox: Mailbox, notices: inout [String]
    ) -> (UnsavedEdits, LatestValueWriter<UnsavedEdits>) {
        let store = DraftFile(workspace: workspace.identity, stateFolder: stateFolder)
        var drafts = UnsavedEdits()
        do {
            let (edits, problems) = try store.open().adopt()
            drafts = UnsavedEdits(edits)
            notices += problems.map(\.description)
        } catch {
            notices.append("\(error)")
        }
        let stored = drafts
        let (copies, services) = drafts.separate { target in
            workspace.endpoint(target) != nil || workspace.problem(of: .endpoint(EndpointID(target))) != nil
        }
        if !drafts.isEmpty { notices.append("Unsaved edits of \(drafts.text) are restored") }
        notices += copies.map { "Two windows edited \($0.target) differently; the older edits are the unsaved request \($0.copy)" }
        notices += services.map {
            "Two windows edited the service \($0.edited.folder); the older edits are restored at the next start after these are saved or discarded"
        }
        let writer = LatestValueWriter("drafts", kept: stored, mailbox: mailbox) { drafts in
            try store.open().keep(services.map(UnsavedEdit.service) + drafts.all)
        }
        return (drafts, writer)
    }
}

/// The file of the unsaved edits of this program, which is opened again where that failed at the start.
private final class DraftFile: Sendable {
    private let workspace: String
    private let stateFolder: String
    private let store = Mutex<DraftStore?>(nil)

    init(workspace: String, stateFolder: String) {
        (self.workspace, self.stateFolder) = (workspace, stateFolder)
    }

    func open() throws(WorkspaceError) -> DraftStore {
        try store.withLock { store throws(WorkspaceError) in
            if let store { return store }
            let opened = try DraftStore(workspace: workspace, stateFolder: stateFolder)
            store = opened
            return opened
        }
    }
}

/// Writes the latest value to disk in the background; several changes in quick succession are written once.
final class LatestValueWriter<Value: Equatable & Sendable>: Sendable {
    private let mailbox: Mailbox
    private let save: @Sendable (Value) throws -> Void
    private let queue: DispatchQueue
    private let state: Mutex<State>

    private struct State {
        var kept: Value
        var isQueued = false
        /// The failure of the last write; nil where it succeeded.
        var failure: String?
    }

    /// Creates a writer; `kept` is the value on the disk.
    init(_ name: String, kept: Value, mailbox: Mailbox, save: @escaping @Sendable (Value) throws -> Void) {
        (self.mailbox, self.save) = (mailbox, save)
        queue = DispatchQueue(label: "sortie.\(name)")
        state = Mutex(State(kept: kept))
    }

    /// Stores a value.
    func keep(_ value: Value) {
        let mustQueue = state.withLock { state in
            guard value != state.kept else { return false }
            state.kept = value
            return !Swift.exchange(&state.isQueued, with: true)
        }
        if mustQueue { queue.async { self.write() } }
    }

    /// Waits until the last change is on the disk; a write that failed is tried again, because there may be space since.
    ///
    /// - Returns: The reason why it could not be written; nil where it was.
    func finish() -> String? {
        queue.sync { if state.withLock({ $0.failure != nil }) { write() } }
        return state.withLock { $0.failure }
    }

    private func write() {
        let value = state.withLock { state in
            state.isQueued = false
            return state.kept
        }
        do {
            try save(value)
            state.withLock { $0.failure = nil }
        } catch {
            let failure = "\(error)"
            // The same failure is not reported again with each key.
            let isNew = state.withLock { Swift.exchange(&$0.failure, with: failure) != failure }
            if isNew { mailbox.post(.notStored(failure)) }
        }
    }
}

/// Starts a process for each download that was left running when the workbench was closed.
struct LeftDownloads {
    private let transfers: [QueuedTransfer]
    private let workbench: WorkbenchProgram
    private var program: ProgramContext { workbench.program }

    init(_ transfers: [QueuedTransfer], of workbench: WorkbenchProgram) {
        (self.transfers, self.workbench) = (transfers, workbench)
    }

    /// Starts the processes, one after the other, and waits until each has left the foreground.
    ///
    /// A download that fails before that is stored as unfinished, so that the next workbench offers it.
    func start() {
        guard !transfers.isEmpty else { return }
        do throws(WorkspaceError) {
            let store = try TransferStore(workspace: workbench.folder.path, stateFolder: program.folders.state)
            var unfinished = transfers
            try store.keep(unfinished)
            for transfer in transfers {
                guard start(transfer) else {
                    program.errors.line("sortie: \(transfer.endpoint.name) is not left running; the next workbench offers it in Transfers")
                    continue
                }
                unfinished.removeAll { $0 == transfer }
                try store.keep(unfinished)
            }
        } catch { program.errors.line("sortie: warning: \(error)") }
    }

    /// Runs the command that continues a download, with the streams of the program; false where it fails.
    private func start(_ transfer: QueuedTransfer) -> Bool {
        do {
            var passed = transfer
            if Self.output(of: transfer) == nil {
                passed.endpoint.download = passed.endpoint.download ?? DownloadSettings()
                passed.endpoint.download?.to = transfer.destination
            }
            let bytes = try LeftDownload(passed, overrides: workbench.overrides).bytes
            let arguments = Self.arguments(for: transfer, in: workbench.folder.path, keepsHistory: workbench.keepsHistory)
            let result = try MainThread.wait { [program] in
                try await Subprocess.run(
                    .path(FilePath(ProgramFile.own)), arguments: Arguments(executablePathOverride: "sortie", remainingValues: arguments),
                    environment: program.childEnvironment, workingDirectory: program.childFolder, input: .array(bytes),
                    output: .currentStandardOutput, error: .currentStandardError
                ).terminationStatus
            }
            return result.exitStatus == 0
        } catch {
            program.errors.line("sortie: warning: \(transfer.endpoint.name): no process can be started: \(error)")
            return false
        }
    }

    /// The value of `-o`; nil for a destination with templates, which the endpoint has.
    private static func output(of transfer: QueuedTransfer) -> String? { transfer.destination.flatMap { Template($0).isPlain ? $0 : nil } }

    /// The command line that continues a download; the endpoint itself, whose values may be secret, is read from standard input.
    static func arguments(for transfer: QueuedTransfer, in folder: String, keepsHistory: Bool) -> [String] {
        var arguments = ["download", transfer.endpoint.target, "--detach", "--left", "-w", folder]
        if let environment = transfer.environment { arguments += ["-e", environment] }
        if let output = output(of: transfer) { arguments += ["-o", output] }
        if transfer.endpoint.download?.collision == nil { arguments += ["--on-exists", "keep-both"] }
        return keepsHistory ? arguments : arguments + ["--no-history"]
    }
}

/// Stores the transfers that have not ended, so that the next session offers them.
enum TransferWriter {
    /// Returns the transfers of earlier sessions, and the writer of those of this session; nil when the state folder cannot be
    /// written.
    static func open(
        workspace folder: String, in program: ProgramContext, mailbox: Mailbox, notices: inout [String]
    ) -> ([QueuedTransfer], LatestValueWriter<[QueuedTransfer]>?) {
        do throws(WorkspaceError) {
            let store = try TransferStore(workspace: folder, stateFolder: program.folders.state)
            let (left, problems) = store.adopt()
            notices += problems.map(\.description)
            return (left.map(withReceivedSize), LatestValueWriter("transfers", kept: left, mailbox: mailbox) { try store.keep($0) })
        } catch {
            notices.append("\(error)")
            return ([], nil)
        }
    }

    /// Updates the received size of a transfer from the files on the disk.
    private static func withReceivedSize(_ transfer: QueuedTransfer) -> QueuedTransfer {
        var transfer = transfer
        let left = transfer.file.flatMap { Downloads.left(of: $0) }
        transfer.bytes = left?.received ?? 0
        transfer.total = left?.total ?? transfer.total
        return transfer
    }
}
