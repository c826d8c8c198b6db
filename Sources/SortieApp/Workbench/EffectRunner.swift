internal import BodyViews
internal import Dispatch
internal import SortieNetworking
internal import SortieStorage
internal import SortieWorkbench
internal import Synchronization
internal import WorkspaceModel

/// Performs effects outside the main thread, and posts their results.
///
/// Their tasks run on the blocking executor, because they read and write files; Swift's shared thread pool belongs to the requests.
final class EffectRunner: Sendable {
    let mailbox: Mailbox
    private let setup: WorkspaceClient
    private let permission: WorkspacePermission
    let workspaceFolder: String
    let git: GitEffects
    var client: Client { setup.client }
    let requests: EndpointRequests
    let schemas: GraphQLSchemaReading
    let calls: CallEffects
    private let runs: RunEffects
    private let transfers: TransferEffects
    let history: HistoryEffects
    private let workspace: WorkspaceEffects
    private let capture: CaptureEffects
    private let jobs: BackgroundJobs
    private let recorder: HistoryRecorder?
    private let parking: OfflineQueue
    let cookies: CookieWriter
    private let watch: MonitorWatch
    private let clientKeys: ClientKeyQuestions
    private let signIns: SignIns
    let program: ProgramContext
    /// Masks a value everywhere from now on.
    private let hide: @Sendable (String) -> Void
    let opened: OpenedBodies
    /// The number of effects that wait until changed files are read, and the programs of hooks are compared.
    private let waiting = Atomic(0)

    init(
        workspace: Workspace, source: WorkbenchWorkspace, permission: WorkspacePermission, parked: ParkedRequestWriter?, history: HistoryEffects,
        mailbox: Mailbox
    ) {
        self.permission = permission
        let program = permission.program
        self.program = program
        opened = OpenedBodies(in: program)
        workspaceFolder = workspace.folder
        git = GitEffects(folder: workspace.folder, permission: permission, mailbox: mailbox)
        self.history = history
        jobs = history.jobs
        self.mailbox = mailbox
        parking = OfflineQueue(keeper: parked)
        let redaction = LiveRedaction(names: workspace.redact, showsSecrets: false)
        let hide: @Sendable (String) -> Void = { value in
            redaction.hide(value)
            mailbox.post(.secretUsed(value))
        }
        self.hide = hide
        transfers = TransferEffects(program.folders, mailbox: mailbox)
        cookies = CookieWriter(workspace: workspace.folder, program.folders) { mailbox.post(.log(LogEntry($0, $1))) }
        let clientKeys = ClientKeyQuestions(mailbox: mailbox, hide: hide)
        self.clientKeys = clientKeys
        let signIns = SignIns(mailbox: mailbox)
        self.signIns = signIns
        let setup = WorkspaceClient(
            workspace, in: program, overrides: [source.overrides], cookies: cookies.jars, parking: parking,
            clientKeyQuestion: { clientKeys.ask($0, $1) }, signIn: signIns
        ) { workspace in
            LiveValues(workspace, mayAsk: false, permission: permission, used: hide)
        }
        self.setup = setup
        watch = MonitorWatch(setup.client.monitor, mailbox: mailbox)
        let recorder = history.recorder(of: setup.client, workspace: workspace.folder, redaction: redaction)
        self.recorder = recorder
        let requests = EndpointRequests(
            workspace, overrides: source.overrides, client: setup.client, permission: permission, redaction: redaction, hide: hide,
            log: { mailbox.post(.log($0)) }, observer: { CallLog.observer(of: $0.target ?? "", mailbox) })
        self.requests = requests
        schemas = GraphQLSchemaReading(
            requests: requests, client: setup.client, store: GraphQLSchemaStore(workspace: workspace.folder, cacheFolder: program.folders.cache),
            observer: { CallLog.observer(of: $0, mailbox) }
        ) {
            mailbox.post(.log(LogEntry(.warning, $0)))
        }
        calls = CallEffects(client: setup.client, requests: requests, cookies: cookies, history: history, parked: parked, mailbox: mailbox)
        let capture = CaptureEffects(client: setup.client, permission: permission, redaction: redaction, mailbox: mailbox)
        self.capture = capture
        runs = RunEffects(mailbox: mailbox, permission: permission, redaction: redaction, hide: hide) { id in
            capture.release(id)
            recorder?.release(id)
        }
        self.workspace = WorkspaceEffects(source, requests: requests, jobs: jobs, mailbox: mailbox) { loaded in
            let scan = permission.use(loaded)
            requests.use(loaded)
            setup.use(loaded)
            if permission.isComplete { setup.resolveAhead() }
            redaction.add(names: loaded.redact)
            return scan
        }
        resolveAhead()
    }

    /// Starts an effect.
    ///
    /// Effects that need the terminal are ignored here.
    func run(_ effect: Effect) {
        // What is sent after a change is saved uses it, although the files are still being written and read.
        if effect.mayRunHooks, workspace.isChanging || !requests.workspace.programFiles.isEmpty {
            waiting.add(1, ordering: .acquiringAndReleasing)
            workspace.comparePrograms { [self] changed in
                if let changed { mailbox.post(.hooksChanged(changed, before: effect)) } else { perform(effect) }
                waiting.subtract(1, ordering: .acquiringAndReleasing)
            }
        } else if effect.controlsStarted, waiting.load(ordering: .acquiring) > 0 {
            // After the start that it applies to.
            waiting.add(1, ordering: .acquiringAndReleasing)
            workspace.perform { [self] in
                perform(effect)
                waiting.subtract(1, ordering: .acquiringAndReleasing)
            }
        } else {
            perform(effect)
        }
    }

    /// Watches the files of the workspace, and finds the problems that need further files.
    func watchFiles() { workspace.watchFiles() }

    private func perform(_ effect: Effect) {
        switch effect {
        case .work(let started):
            switch started.work {
            case let work as any PerformedWork: perform(work, started.id)
            case let work as any ReportingWork: perform(work, started.id)
            case let work: mailbox.post(.log(LogEntry(.error, "\(type(of: work)) is not implemented")))
            }
        case .send(let id, let endpoint, let environment):
            setup.retryTokens()
            calls.send(id, endpoint, environment)
        case .acceptKey(let id, let pin): calls.accept(pin, for: id)
        case .cancel(let id): calls.cancel(id)
        case .suspendCall(let id): calls.suspend(id)
        case .resumeCall(let id): calls.suspend(id, false)
        case .download(let id, let transfer): download(id, transfer)
        case .commandDownload(let id, let command): transfers.follow(command, id)
        case .discardPart(_, let transfer):
            BlockingExecutor.shared.start { [transfers] in transfers.discard(transfer) }
        case .readDownload(let id, let path):
            BlockingExecutor.shared.start { [mailbox] in mailbox.post(.downloadRead(id, DownloadedFile(path: path).content)) }
        case .cancelSignIn(let id): signIns.cancel(id)
        case .startRun(let id, let name, let environment, let record):
            start([RunStart(id, environment: environment, from: record)], of: name)
        case .startRuns(let name, let starts): start(starts, of: name)
        case .supplyPrompts(let id, let values): runs.supply(values, for: id)
        case .sendParked(let requests): calls.sendParked(requests)
        case .tryParked: parking.tryNow()
        case .dropParked(let id): calls.dropParked(id)
        case .cancelRun(let id): runs.cancel(id)
        case .pauseRun(let id, let isPaused): runs.setPaused(id, isPaused)
        case .index(let id, let view):
            BlockingExecutor.shared.start { [mailbox] in mailbox.post(.indexed(id, BodyWork.advanced(view))) }
        case .cancelJobs(let ids): jobs.cancel(ids)
        case .save(let job, let endpoint, let original): workspace.save(job, endpoint, original)
        case .compareWithFile(let job, let endpoint, let original): workspace.compare(job, endpoint, original)
        case .copy(let job, let text):
            jobs.run(job) { [mailbox, program] _ in mailbox.post(.copied(job, await Clipboard.copy(text, in: program))) }
        case .switchServer(let service, let environment, let index, let count):
            client.switchServer(of: service, to: index, in: environment, count: count)
        case .limitDownloads(let rate): client.downloads.limitRate(rate)
        case .startCapture(let job, let path, let showsSecrets):
            BlockingExecutor.shared.start { [capture] in capture.start(job, path, showsSecrets: showsSecrets) }
        case .stopCapture(let job):
            BlockingExecutor.shared.start { [capture] in capture.stop(job) }
        case .useConditions(let conditions): client.use(conditions: conditions)
        case .inspectFiles(let paths, let text): workspace.inspect(paths, readingText: text)
        case .answerClientKey(let file, let passphrase): clientKeys.answer(file, passphrase)
        case .reloadWorkspace: workspace.reload()
        case .history(let job, let request): history.ask(job, request, contract: requests.contract)
        case .supplyReplayPrompts(let number, let values): calls.supply(values, forReplayOf: number)
        case .replay(let ids, let numbers, let pace): calls.replay(ids, numbers, pace: pace)
        case .createEndpoint(let job, let endpoint): workspace.create(job, endpoint)
        case .editWorkspace(let job, let edit): workspace.perform(job, edit)
        case .storeSecrets(let job, let values, let declarations):
            for value in values { hide(value.value) }
            workspace.store(job, values, declarations, in: SecretStore(stateFolder: program.folders.state))
        case .permit(let capabilities, let isForGood): permit(capabilities, isForGood: isForGood)
        case .edit, .openFile, .editSettings, .copyByTerminal, .showInPager, .openBody, .redraw, .suspend, .quit: break
        }
    }

    /// Does the work of a job, and posts its result.
    private func perform<Performed: PerformedWork>(_ work: Performed, _ id: JobID) {
        jobs.run(id) { [self] cancellation in
            guard let outcome = await work.perform(in: self, cancellation) else { return }
            mailbox.post(.worked(WorkResult(of: Performed.self, id, outcome)))
        }
    }

    /// Does the work of a job, and posts its results.
    private func perform<Reporting: ReportingWork>(_ work: Reporting, _ id: JobID) {
        jobs.run(id) { [self] cancellation in
            work.perform(in: self, cancellation) { mailbox.post(.worked(WorkResult(of: Reporting.self, id, $0))) }
        }
    }

    private func start(_ starts: [RunStart], of name: String) {
        runs.start(starts, of: name, in: requests.workspace, overrides: requests.overrides, client: client)
    }

    /// Opens a body with the program for its media type.
    func open(_ job: JobID, _ view: BodyView, mediaType: String, _ settings: Settings) {
        jobs.run(job) { [mailbox, opened] cancellation in
            let isReported = Mutex(false)
            let outcome = await opened.open(view.bytes, mediaType: mediaType, settings, cancellation) { program in
                isReported.withLock { $0 = true }
                mailbox.post(.bodyOpened(job, .done(program)))
            }
            if isReported.withLock({ $0 }), case .failed(let sentence) = outcome {
                mailbox.post(.viewerFailed(sentence))
            } else {
                mailbox.post(.bodyOpened(job, outcome))
            }
        }
    }

    /// Grants the permission before the effects that wait for it are performed; only the file is written later.
    private func permit(_ capabilities: Set<Capability>, isForGood: Bool) {
        permission.permit(capabilities)
        resolveAhead()
        if isForGood { workspace.store(permission, capabilities) }
    }

    /// Resolves host names in advance if the workspace has all permissions that its files need.
    private func resolveAhead() {
        BlockingExecutor.shared.start { [setup, permission] in
            if permission.isComplete { setup.resolveAhead() }
        }
    }

    /// Ends all work, and waits until cookies, exchanges and the capture are on the disk.
    func finish() {
        jobs.cancelAll()
        workspace.finish()
        opened.finish()
        endCalls()
        cookies.finish()
        recorder?.finish()
        history.finish()
        capture.finish()
    }

    /// Cancels all calls and waits briefly for their end, so that the history records them.
    private func endCalls() {
        // First, because calls, runs and downloads wait for these commands.
        program.secretCommands.endAll()
        program.hooks.endAll()
        runs.cancelAll()
        transfers.stop()
        calls.endConnections()
        let idle = DispatchSemaphore(value: 0)
        Task { [client, calls] in
            await client.shutDown()
            // The client counts only their handshakes.
            await calls.waitUntilConnectionsEnd()
            idle.signal()
        }
        _ = idle.wait(timeout: .now() + Self.patience)
    }

    /// The time to wait for calls at exit, so that a plugin cannot block it.
    private static let patience = DispatchTimeInterval.seconds(1)

    private func download(_ id: CallID, _ transfer: QueuedTransfer) {
        transfers.start(id, transfer, client: client) { [requests, calls] transfer, cancellation async throws(Diagnostic) in
            guard let number = transfer.replays else { return try await requests.download(transfer, cancellation) }
            let values = transfer.endpoint.promptValues
            if let prepared = try await calls.replays.request(of: number, promptValues: values, cancelledBy: cancellation) { return prepared }
            // If the exchange was removed meanwhile, the request is built from its endpoint. The download checks anyway that the
            // file is the same.
            guard !transfer.isMasked else {
                throw Diagnostic(
                    SourceLocation(file: "history"),
                    "number \(number) was deleted, and secrets in its request are masked; download from the endpoint instead")
            }
            return try await requests.download(transfer, cancellation)
        }
    }
}

extension Effect {
    /// Whether the effect sends requests, or builds them as if they were sent, so that it may run programs of hooks.
    fileprivate var mayRunHooks: Bool {
        switch self {
        case .work(let started): type(of: started.work).mayRunHooks
        case .send, .download, .sendParked, .startRun, .startRuns, .replay: true
        default: false
        }
    }

    /// Whether the effect applies to what an earlier effect started, and is lost before that.
    fileprivate var controlsStarted: Bool {
        switch self {
        case .cancel, .suspendCall, .resumeCall, .commandDownload, .discardPart, .cancelRun, .pauseRun, .cancelJobs: true
        default: false
        }
    }
}
