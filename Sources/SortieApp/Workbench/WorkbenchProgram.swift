internal import Foundation
internal import Glibc
internal import HistoryModel
internal import SortieNetworking
internal import SortieStorage
internal import SortieTerminal
internal import SortieWorkbench
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
    /// The request that is opened with the cursor in its URL; nil to open the first endpoint.
    var newRequest: NewRequest?
    var notices: [String] = []

    /// A request in the scratch workspace that the user is about to type.
    struct NewRequest {
        /// The URL to begin with; nil for an empty one.
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
        let (unsaved, drafts) = DraftWriter.open(workspace: workspace.folder, stateFolder: program.folders.state, mailbox: mailbox, notices: &notices)
        let opened = try openRequest(in: &workspace, of: source, unsaved: unsaved)
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
        guard program.ownsProcess else { throw CommandFailure(.usage, name: "terminal", "the workbench needs a process of its own", hint: hint) }
        var screen: Screen
        do { screen = try Screen(options) } catch { throw CommandFailure(.usage, name: "terminal", "\(error)", hint: hint) }
        let (unfinished, transfers) = TransferWriter.open(workspace: workspace.folder, in: program, mailbox: mailbox, notices: &notices)
        let runs = RunEffects.leftRuns(of: workspace, permission: permission, notices: &notices)
        let left = parked?.adopt(notices: &notices) ?? []
        var state = AppState(
            workspace: workspace, environment: environment, size: screen.size, unsaved: unsaved, runs: runs, notices: notices,
            folders: TransferFolders(program.folders), engineHeaders: Client.standardHeaders(.program(program.environment)),
            sections: YAMLSections(folders: program.folders), keepsHistory: keepsHistory,
            permitted: permission.permitted, keepsDrafts: ScratchWorkspace.contains(folder), settings: settings,
            exports: ExportChoice.all)
        state.overrides = overrides
        settingsFile.watchFile(settings)
        let places = recent(&notices)
        state.goBack(to: places, choosesEnvironment: self.environment != nil)
        if let opened { state.startTyping(in: opened, url: newRequest?.url) }
        for effect in state.start(parked: left, transfers: unfinished) + state.watchGit() + state.listDetached() { runner.run(effect) }
        var limits = HistoryRetention(settings)
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
            let wanted = Screen.Options(state.settings, usesColour: usesColour)
            if wanted != options {
                options = wanted
                screen.use(options)
            }
            if limits != HistoryRetention(state.settings) {
                limits = HistoryRetention(state.settings)
                history.apply(limits)
            }
            if actions.contains(where: \.mayEdit) { drafts.keep(state.unsavedDrafts) }
            transfers?.keep(state.unfinishedTransfers)
        }
        // Another window may have discarded drafts that this one still has.
        let draftFailure = drafts.finish(writesAgain: !state.unsavedDrafts.isEmpty)
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
        guard newRequest != nil else { return nil }
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
        var isFolder: ObjCBool = false
        let downloads = folders.downloads
        let isThere = FileManager.default.fileExists(atPath: downloads, isDirectory: &isFolder) && isFolder.boolValue
        self.init(home: folders.home, current: folders.current, downloads: isThere ? downloads : folders.current, userDownloads: downloads)
    }
}
