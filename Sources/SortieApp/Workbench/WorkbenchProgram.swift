internal import SortieNetworking
internal import SortieStorage
internal import SortieTerminal
internal import SortieWorkbench
internal import Subprocess
internal import SystemPackage
internal import WorkspaceModel

/// The workbench as a program: what it is started with, its start and its end.
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
        let notice = ReadingNotice(folder.path, on: program.errors)
        defer { notice.end() }
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
        let options = Screen.Options(settings, usesColour: usesColour)
        let hint = "sortie send and sortie list work without a terminal"
        // The terminal and the signals of its window are those of the process.
        guard program.ownsProcess else { throw CommandFailure(.usage, name: "terminal", "the workbench needs its own process", hint: hint) }
        let isLarge = notice.end()
        var screen: Screen
        do { screen = try Screen(options) } catch { throw CommandFailure(.usage, name: "terminal", "\(error)", hint: hint) }
        if isLarge { screen.draw(notice.canvas(size: screen.size)) }
        let (unfinished, transfers) = TransferWriter.open(workspace: workspace.folder, in: program, mailbox: mailbox, notices: &notices)
        let runs = RunEffects.leftRuns(of: workspace, permission: permission, notices: &notices)
        let left = parked?.adopt(notices: &notices) ?? []
        let size = screen.size
        var loop = WorkbenchLoop(
            screen, options, settings, usesColour: usesColour,
            state: AppState(
                workspace: workspace, environment: environment, size: size, unsaved: unsaved.endpoints, services: unsaved.services, runs: runs,
                notices: notices, tour: tour, folders: TransferFolders(program.folders),
                engineHeaders: Client.standardHeaders(.program(program.environment)),
                sections: YAMLSections(folders: program.folders), keepsHistory: keepsHistory,
                permitted: permission.permitted, scan: permission.scan, keepsDrafts: ScratchWorkspace.contains(folder), settings: settings,
                exports: ExportChoice.all),
            runner: runner, drafts: drafts, transfers: transfers, settingsFile: settingsFile, history: history)
        loop.state.overrides = overrides
        settingsFile.watchFile(settings)
        let places = recent(&notices)
        loop.state.goBack(to: places, choosesEnvironment: self.environment != nil)
        var beginning: [Effect] = []
        if let opened {
            beginning = loop.state.startTyping(in: opened, url: newRequest?.url)
        } else if let url = newRequest?.url {
            beginning = loop.state.startTyping(url)
        }
        beginning += loop.state.start(parked: left, transfers: unfinished, forms: unsaved.forms)
        for effect in beginning + loop.state.watchGit() + loop.state.listDetached() { runner.run(effect) }
        loop.run()
        let draftFailure = drafts.finish()
        var failures = [draftFailure.map { "the unsaved edits could not be stored: \($0)" }, transfers?.finish()].compactMap(\.self)
        do { try PlaceStore(stateFolder: program.folders.state).keep(loop.state.place) } catch { failures.append("\(error)") }
        return (loop.state.nextWorkspace, failures, loop.state.leftDownloads)
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
