internal import Dispatch
internal import Model
internal import Networking
internal import Storage
internal import Synchronization
internal import Workbench

internal import struct Foundation.Date

/// Performs effects outside the main thread, and posts their results.
final class EffectRunner: Sendable {
    let mailbox: Mailbox
    private let source: WorkbenchWorkspace
    private let workspace: Mutex<Workspace>
    /// Serialises access to the workspace's files, outside the threads that requests need.
    private let files = DispatchQueue(label: "sortie.workspace")
    /// Nil before it starts, and when the system cannot watch.
    private let filesWatch = Mutex<WorkspaceWatch?>(nil)
    private let setup: WorkspaceClient
    private let permission: WorkspacePermission
    private var client: Client { setup.client }
    private let running = Mutex<[CallID: Sending]>([:])
    /// The replays whose calls have not started, with the cancellations of resolving their requests.
    private let toReplay = Mutex<[CallID: Cancellation]>([:])
    /// The cancellations of pending dry runs.
    private let dryRuns = Mutex<[JobID: Cancellation]>([:])
    private let runs: RunEffects
    private let transfers: TransferEffects
    private let history: HistoryEffects
    private let jobs: BackgroundJobs
    private let recorder: HistoryRecorder?
    private let parking: OfflineQueue
    private let cookies: CookieKeeper
    private let watch: MonitorWatch
    private let clientKeys: ClientKeyQuestions
    /// The masking rules of a capture, with the secrets that were used so far.
    private let redaction: LiveRedaction
    private let hide: @Sendable (String) -> Void
    private let capture = Mutex<(id: JobID, capture: TrafficCapture)?>(nil)
    /// Nil when the state folder cannot be written; parked requests are then lost at exit.
    private let parked: ParkedKeeper?

    /// A started call, whose request may still be being resolved.
    private struct Sending {
        let request: RequestID
        /// Cancels the commands of secrets that the request waits for.
        let cancellation = Cancellation()
    }

    init(
        workspace: Workspace, source: WorkbenchWorkspace, permission: WorkspacePermission, parked: ParkedKeeper?, history: HistoryEffects,
        mailbox: Mailbox
    ) {
        self.permission = permission
        self.history = history
        jobs = history.jobs
        self.mailbox = mailbox
        self.parked = parked
        parking = OfflineQueue(keeper: parked)
        let redaction = LiveRedaction(names: workspace.redact, showsSecrets: false)
        let hide: @Sendable (String) -> Void = { value in
            redaction.hide(value)
            mailbox.post(.secretUsed(value))
        }
        (self.redaction, self.hide) = (redaction, hide)
        runs = RunEffects(mailbox: mailbox, permission: permission, redaction: redaction, hide: hide)
        transfers = TransferEffects(mailbox: mailbox)
        self.source = source
        self.workspace = Mutex(workspace)
        cookies = CookieKeeper(workspace: workspace.folder) { mailbox.post(.log(LogEntry($0, $1))) }
        let clientKeys = ClientKeyQuestions(mailbox: mailbox, hide: hide)
        self.clientKeys = clientKeys
        setup = WorkspaceClient(
            workspace, overrides: [source.overrides], cookies: cookies.jars, parking: parking,
            clientKeyQuestion: { clientKeys.ask($0, $1) }
        ) { workspace in
            LiveValues(workspace, mayAsk: false, permission: permission, used: hide)
        }
        watch = MonitorWatch(setup.client.monitor, mailbox: mailbox)
        recorder = history.recorder(of: setup.client, workspace: workspace.folder, redaction: redaction)
        Task { [self] in resolveAhead() }
        watchFiles()
    }

    /// Starts an effect.
    ///
    /// Effects that need the terminal are ignored here.
    func run(_ effect: Effect) {
        switch effect {
        case .send(let id, let endpoint, let environment):
            send(id, endpoint, environment)
        case .cancel(let id):
            if refuse(id, Problem(SourceLocation(file: "history"), "cancelled while it was queued")) { return }
            guard let sending = running.withLock({ $0[id] }) else { return }
            // In this order, a request that is being resolved is cancelled when it starts.
            sending.cancellation.cancel()
            Task { await client.cancel(sending.request) }
        case .suspendCall(let id):
            if let sending = running.withLock({ $0[id] }) { client.suspend(sending.request) }
        case .resumeCall(let id):
            if let sending = running.withLock({ $0[id] }) { client.resume(sending.request) }
        case .download(let id, let order):
            transfers.start(id, order, client: client) { [self] order, cancellation async throws(Problem) in
                guard let number = order.replays else { return try await request(for: order.endpoint, order.environment, cancellation) }
                if let request = try await replays.request(of: number, cancelledBy: cancellation) { return request }
                // If the exchange was removed meanwhile, the request is built from its endpoint. The download checks anyway that the
                // file is the same.
                guard !order.endpoint.isMasked else {
                    throw Problem(
                        SourceLocation(file: "history"),
                        "number \(number) was deleted, and secrets in its request are masked; download from the endpoint instead")
                }
                return try await request(for: order.endpoint, order.environment, cancellation)
            }
        case .pauseDownload(let id): transfers.want(.pause, of: id)
        case .resumeDownload(let id): transfers.want(.resume, of: id)
        case .cancelDownload(let id, let keepsPart): transfers.want(.cancel(keepsPart: keepsPart), of: id)
        case .discardPart(_, let order):
            Task { transfers.discard(order) }
        case .openFolder(let job, let folder):
            BlockingWork.shared.start { [mailbox] in mailbox.post(.openedFolder(job, Desktop.open(folder))) }
        case .startRun(let id, let name, let environment, let record):
            runs.start(id, name, environment: environment, from: record, in: workspace.withLock { $0 }, overrides: source.overrides, client: client)
        case .loadPage(let id, let endpoint, let environment):
            Task { await loadPage(id, endpoint, environment) }
        case .sendParked(let requests):
            sendParked(requests)
        case .tryParked:
            parking.tryNow()
        case .dropParked(let id):
            do { try parked?.drop(id) } catch { mailbox.post(.log(LogEntry(.error, "\(error)"))) }
        case .cancelRun(let id):
            runs.cancel(id)
        case .index(let id, let view):
            jobs.run { [mailbox] in mailbox.post(.indexed(id, BodyWork.advanced(view))) }
        case .search(let job, let view, let search, let from, let forward):
            jobs.run(job) { [mailbox] cancellation in
                guard let found = BodyWork.search(search, in: view, from: from, forward: forward, cancellation) else { return }
                mailbox.post(.searched(job, found))
            }
        case .countMatches(let job, let view, let search):
            jobs.run(job) { [mailbox] cancellation in
                BodyWork.count(search, in: view, cancellation) { mailbox.post(.matchesCounted(job, $0)) }
            }
        case .cancelJobs(let ids):
            jobs.cancel(ids)
            for cancellation in dryRuns.withLock({ runs in ids.compactMap { runs[$0] } }) { cancellation.cancel() }
        case .save(let job, let endpoint, let original):
            files.async { [self] in save(job, endpoint, original) }
        case .compareWithFile(let job, let endpoint, let original):
            let cancellation = jobs.begin(job)
            files.async { [self] in
                if !cancellation.isCancelled {
                    mailbox.post(.comparedWithFile(job, source.difference(saving: endpoint, replacing: original)))
                }
                jobs.end(job)
            }
        case .saveBody(let job, let body, let path, let overwrites):
            Task { mailbox.post(.fileSaved(job, BodyWork.save(body, to: path, overwrites: overwrites))) }
        case .saveLog(let job, let log, let path, let overwrites):
            Task { mailbox.post(.fileSaved(job, BodyWork.save(BodyBytes(Array(log.text.utf8)), to: path, overwrites: overwrites))) }
        case .copy(let job, let text):
            BlockingWork.shared.start { [mailbox] in mailbox.post(.copied(job, Clipboard.copy(text))) }
        case .cookies(let job, let environment, let request):
            Task { mailbox.post(.cookies(job, cookies.answer(request, environment: environment))) }
        case .startCapture(let job, let path, let showsSecrets):
            Task { startCapture(job, path, showsSecrets) }
        case .stopCapture(let job):
            Task { stopCapture(job) }
        case .useConditions(let conditions):
            client.use(conditions: conditions)
        case .inspectFiles(let paths):
            Task { mailbox.post(.filesInspected(FolderReader.inspect(paths))) }
        case .listFolder(let job, let path):
            jobs.run(job) { [mailbox] _ in mailbox.post(.folderListed(job, FolderReader.list(path))) }
        case .dryRun(let job, let endpoint, let environment):
            let cancellation = Cancellation()
            dryRuns.withLock { $0[job] = cancellation }
            Task { await dryRun(job, endpoint, environment, cancellation) }
        case .answerClientKey(let file, let passphrase):
            clientKeys.answer(file, passphrase)
        case .reloadWorkspace:
            files.async { [self] in reload() }
        case .history(let job, let request): history.ask(job, request)
        case .planReplay(let job, let number):
            Task { await replays.plan(job, number) }
        case .replay(let ids, let numbers, let pace):
            toReplay.withLock { waiting in
                for id in ids { waiting[id] = Cancellation() }
            }
            Task { await replays.replay(ids, numbers, pace: pace) }
        case .createEndpoint(let job, let endpoint):
            files.async { [self] in create(job, endpoint) }
        case .permit(let capabilities, let isForGood): permit(capabilities, isForGood: isForGood)
        case .edit, .openFile, .redraw, .suspend, .quit:
            break
        }
    }

    /// Grants the permission before the effects that wait for it are performed; only the file is written later.
    private func permit(_ capabilities: Set<Capability>, isForGood: Bool) {
        permission.permit(capabilities)
        Task { [self] in resolveAhead() }
        guard isForGood else { return }
        files.async { [permission, mailbox] in
            do throws(WorkspaceError) { try permission.permitForGood(capabilities) } catch {
                mailbox.post(.log(LogEntry(.error, "The permission could not be stored and is valid until Sortie ends: \(error)")))
            }
        }
    }

    /// Resolves host names in advance if the workspace has all permissions that its files need.
    private func resolveAhead() {
        if permission.isComplete { setup.resolveAhead() }
    }

    /// Ends all work, and waits until cookies, exchanges and the capture are on the disk.
    func finish() {
        jobs.cancelAll()
        endCalls()
        cookies.finish()
        recorder?.finish()
        history.finish()
        capture.withLock { $0.take() }?.capture.stop()
    }

    /// Cancels all calls and waits briefly for their end, so that the history records them.
    private func endCalls() {
        // First, because calls, runs and downloads wait for these commands.
        SecretCommands.shared.endAll()
        runs.cancelAll()
        transfers.stop()
        let idle = DispatchSemaphore(value: 0)
        Task { [client] in
            await client.shutDown()
            await client.waitUntilIdle()
            idle.signal()
        }
        _ = idle.wait(timeout: .now() + Self.patience)
    }

    /// The time to wait for calls at exit, so that a plugin cannot block it.
    private static let patience = DispatchTimeInterval.seconds(1)

    private func send(_ id: CallID, _ endpoint: Endpoint, _ environment: String?) {
        let sending = Sending(request: client.makeID())
        let request = sending.request
        running.withLock { $0[id] = sending }
        Task {
            defer { running.withLock { $0[id] = nil } }
            let (resolved, check): (Request, ResponseCheck?)
            do throws(Problem) { (resolved, check) = try await begin(endpoint, environment, sending) } catch {
                mailbox.post(.callFailedToStart(id, error))
                return
            }
            cookies.refresh(environment: environment)
            if endpoint.retry?.parksWhenOffline == true {
                parked?.note(
                    request,
                    ParkedRequest(
                        id: "\(request)", endpoint: endpoint, environment: environment, since: Date(), expires: Date(), reason: ""))
            }
            let events = client.events(resolved, id: request)
            // The call may have been cancelled before the client knew it.
            if sending.cancellation.isCancelled { await client.cancel(request) }
            for await event in events { mailbox.post(.call(id, await checked(event, check, sending.cancellation))) }
            parked?.ended(request)
        }
    }

    /// An event with what the endpoint expects of the response compared; cancelling the call ends the comparison.
    private func checked(_ event: CallEvent, _ check: ResponseCheck?, _ cancellation: Cancellation) async -> CallEvent {
        guard let check, case .finished = event else { return event }
        let comparison = Task { check.checked(event) }
        cancellation.whenCancelled { comparison.cancel() }
        return await comparison.value
    }

    /// Sending exchanges of the history again, in the workspace as it is now.
    private var replays: ReplayEffects {
        let setup = ReplaySetup(
            workspace: workspace.withLock { $0 }, overrides: [source.overrides], mayAsk: false, permission: permission, redaction: redaction,
            used: { [mailbox] in mailbox.post(.secretUsed($0)) })
        return ReplayEffects(
            history: history, mailbox: mailbox, setup: setup, cancellation: { [self] id in toReplay.withLock { $0[id] } },
            refuse: { [self] in refuse($0, $1) }
        ) { [self] id, request in
            let sending = Sending(request: client.makeID())
            let call = sending.request
            // In one step, so that a cancellation finds the call either waiting or running.
            let isWanted = toReplay.withLock { waiting in
                guard waiting.removeValue(forKey: id) != nil else { return false }
                running.withLock { $0[id] = sending }
                return true
            }
            guard isWanted else { return }
            defer { running.withLock { $0[id] = nil } }
            cookies.refresh(environment: request.environment)
            let events = client.events(request, id: call)
            if sending.cancellation.isCancelled { await client.cancel(call) }
            for await event in events { mailbox.post(.call(id, event)) }
        }
    }

    /// Ends a replay whose call has not started; false when there is none.
    @discardableResult
    private func refuse(_ id: CallID, _ problem: Problem) -> Bool {
        guard let cancellation = toReplay.withLock({ $0.removeValue(forKey: id) }) else { return false }
        cancellation.cancel()
        mailbox.post(.callFailedToStart(id, problem))
        return true
    }

    /// Sends the requests of an earlier session in order.
    private func sendParked(_ requests: [ParkedSending]) {
        let sendings = requests.map { ($0, Sending(request: client.makeID())) }
        running.withLock { running in
            for (parked, sending) in sendings { running[parked.id] = sending }
        }
        Task {
            for (parked, sending) in sendings { await send(parked, as: sending) }
        }
    }

    /// Starts a parked request, and returns when it is queued.
    private func send(_ sending: ParkedSending, as call: Sending) async {
        let (left, request) = (sending.request, call.request)
        let (resolved, check): (Request, ResponseCheck?)
        do throws(Problem) { (resolved, check) = try await begin(left.endpoint, left.environment, call) } catch {
            running.withLock { $0[sending.id] = nil }
            mailbox.post(.callFailedToStart(sending.id, error))
            return
        }
        parked?.note(request, left)
        // The stream is created here, so that requests are queued in this order; its events are read concurrently.
        let notice = ParkingNotice(reason: left.reason, since: left.since, expires: left.expires)
        let events = client.events(resolved, id: request, parked: notice)
        if call.cancellation.isCancelled { await client.cancel(request) }
        Task {
            for await event in events { mailbox.post(.call(sending.id, await checked(event, check, call.cancellation))) }
            running.withLock { $0[sending.id] = nil }
            parked?.ended(request)
        }
    }

    /// Requests a further page of a list.
    private func loadPage(_ id: JobID, _ endpoint: Endpoint, _ environment: String?) async {
        let resolved: Request
        do throws(Problem) { resolved = try await request(for: endpoint, environment, Cancellation()) } catch {
            mailbox.post(.pageFailed(id, error))
            return
        }
        mailbox.post(.pageLoaded(id, await client.exchange(resolved)))
    }

    private func dryRun(_ id: JobID, _ endpoint: Endpoint, _ environment: String?, _ cancellation: Cancellation) async {
        defer { dryRuns.withLock { $0[id] = nil } }
        let resolved: Request
        do throws(Problem) { resolved = try await request(for: endpoint, environment, cancellation) } catch {
            mailbox.post(.dryRan(id, .failed(error)))
            return
        }
        let work = Task { [client] in await client.dryRun(resolved) }
        cancellation.whenCancelled { work.cancel() }
        mailbox.post(.dryRan(id, .done(await work.value)))
    }

    /// The resolved request of an endpoint.
    ///
    /// The secrets it uses are posted before.
    private func request(
        for endpoint: Endpoint, _ environment: String?, _ cancellation: Cancellation
    ) async throws(Problem) -> Request {
        try await checkedRequest(for: endpoint, environment, cancellation).request
    }

    /// The resolved request of a call, and the check of its response.
    ///
    /// - Throws: Also when the call was cancelled meanwhile.
    private func begin(
        _ endpoint: Endpoint, _ environment: String?, _ sending: Sending
    ) async throws(Problem) -> (request: Request, check: ResponseCheck?) {
        let isCancelled = { sending.cancellation.isCancelled }
        let cancelled = Problem(endpoint.location ?? SourceLocation(file: endpoint.target), "cancelled before it was sent")
        do throws(Problem) {
            let begun = try await checkedRequest(for: endpoint, environment, sending.cancellation)
            if isCancelled() { throw cancelled }
            return begun
        } catch {
            throw isCancelled() ? cancelled : error
        }
    }

    /// The resolved request of an endpoint, and the check of its response.
    private func checkedRequest(
        for endpoint: Endpoint, _ environment: String?, _ cancellation: Cancellation
    ) async throws(Problem) -> (request: Request, check: ResponseCheck?) {
        let workspace = workspace.withLock { $0 }
        var plan = RequestPlan(workspace: workspace, environment: environment, overrides: [source.overrides])
        plan.turn = { [client] in client.serverTurn(of: $0, in: environment, count: $1) }
        let values = LiveValues(workspace, mayAsk: false, permission: permission, used: hide)
        return try await values.resolve(cancelledBy: cancellation) { [plan, redaction, hide] values throws(Problem) in
            let scope = values.scope(of: endpoint, plan: plan)
            let request = try plan.request(for: endpoint, in: scope)
            for value in redaction.always.secrets(of: request) { hide(value) }
            try values.permission.refuseProtectedFiles(of: request, at: endpoint.location ?? SourceLocation(file: endpoint.target))
            return (request: request, check: ResponseCheck(of: endpoint, in: scope))
        }
    }

    private func startCapture(_ job: JobID, _ path: String, _ showsSecrets: Bool) {
        if let protected = permission.protected(HomeFolder.expanding(path), .writing) {
            mailbox.post(.capture(job, .failed(protected.message)))
            return
        }
        do throws(WorkspaceError) {
            let begun = try TrafficCapture(
                of: client, into: path, masking: { [redaction] in showsSecrets ? .none : redaction.current },
                onEntry: { [mailbox] result in
                    switch result {
                    case .success(let count): mailbox.post(.capture(job, .recorded(count)))
                    case .failure(let error): mailbox.post(.capture(job, .failed(error.description)))
                    }
                })
            if begun.isReadableByOthers { mailbox.post(.log(LogEntry(.warning, ReadableFile.warning(path)))) }
            capture.withLock { $0 = (job, begun) }
            mailbox.post(.capture(job, .began(begun.count)))
        } catch {
            mailbox.post(.capture(job, .failed(error.description)))
        }
    }

    private func stopCapture(_ job: JobID) {
        guard let ended = capture.withLock({ $0?.id == job ? $0.take() : nil }) else { return }
        if let count = ended.capture.stop() { mailbox.post(.capture(job, .ended(count))) }
    }

    private func save(_ job: JobID, _ endpoint: Endpoint, _ original: Endpoint?) {
        let outcome: EndpointSaveOutcome
        do throws(WorkspaceError) {
            outcome = .saved(try source.folder.save(endpoint, replacing: original))
        } catch  where error.code == .changedOnDisk {
            outcome = .changedOnDisk("\(error)")
        } catch {
            outcome = .failed("\(error)")
        }
        // The workspace is read first, so that the question about the conflict shows the current content of the file.
        if case .changedOnDisk = outcome { reload() }
        mailbox.post(.saved(job, outcome))
        if case .saved = outcome { reload() }
    }

    private func create(_ job: JobID, _ endpoint: Endpoint) {
        do {
            let made = try source.folder.save(endpoint, replacing: nil)
            reload()
            mailbox.post(.created(job, .done(made.location?.file ?? endpoint.target)))
        } catch {
            mailbox.post(.created(job, .failed("\(error)")))
        }
    }

    /// Starts to watch for changes by other programs.
    private func watchFiles() {
        files.async { [self] in
            let watch = WorkspaceWatch(source.folder.path, queue: files) { [weak self] in self?.reload(onlyIfChanged: true) }
            filesWatch.withLock { $0 = watch }
            guard watch == nil else { return }
            mailbox.post(
                .log(LogEntry(.warning, "Changes of the workspace's files cannot be detected here; Reload in the palette reads them again")))
        }
    }

    private func reload(onlyIfChanged: Bool = false) {
        do {
            let before = workspace.withLock { $0 }
            filesWatch.withLock { $0 }?.refresh()
            let loaded = try source.load(after: before)
            if onlyIfChanged, loaded == before { return }
            // Before effects can use the new workspace.
            permission.use(loaded)
            workspace.withLock { $0 = loaded }
            setup.use(loaded)
            resolveAhead()
            redaction.add(names: loaded.redact)
            mailbox.post(.workspaceLoaded(loaded))
        } catch let failure as CommandFailure {
            mailbox.post(.workspaceFailed(failure.message))
        } catch {
            mailbox.post(.workspaceFailed("\(error)"))
        }
    }
}
