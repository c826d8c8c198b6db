internal import Dispatch
internal import SortieBase
internal import SortieStorage
internal import SortieWorkbench
internal import Synchronization
internal import WorkspaceModel

/// The files of the workspace: reading, watching, saving and comparing, one after the other on a separate queue.
final class WorkspaceEffects: Sendable {
    private let mailbox: Mailbox
    private let source: WorkbenchWorkspace
    private let jobs: BackgroundJobs
    private let requests: EndpointRequests
    /// Called with a workspace that was read, before effects can use it.
    private let use: @Sendable (Workspace) -> CapabilityScan
    private let queue = DispatchQueue(label: "sortie.workspace")
    /// Separate, so that files are not saved later because many others are read.
    private let problemQueue = DispatchQueue(label: "sortie.problems", qos: .utility)
    private let problems = Mutex(Problems())
    /// The number of changes that were started, and whose result effects do not use yet.
    private let changes = Atomic(0)
    /// Nil before it starts, and when the system cannot watch.
    private let watch = Mutex<WorkspaceWatch?>(nil)

    /// The search for problems that need further files.
    private struct Problems {
        /// Counts the searches, of which only the last one is needed.
        var searches = 0
        /// The problems that were posted last.
        var posted: [Diagnostic] = []
    }

    init(
        _ source: WorkbenchWorkspace, requests: EndpointRequests, jobs: BackgroundJobs, mailbox: Mailbox,
        use: @escaping @Sendable (Workspace) -> CapabilityScan
    ) {
        (self.source, self.requests, self.jobs, self.mailbox, self.use) = (source, requests, jobs, mailbox, use)
    }

    /// Starts to watch for changes by other programs, and finds the problems that need further files.
    func watchFiles() {
        queue.async { [self] in
            let hasOwnFiles = source.folder.format == nil
            let watch = WorkspaceWatch(
                source.folder.path, queue: queue, isRelevant: { !hasOwnFiles || WorkspaceFolder.isRead($0) }
            ) { [weak self] in
                self?.load(onlyIfChanged: true)
            }
            self.watch.withLock { $0 = watch }
            // A file may have changed after the workspace was read and before it was watched.
            guard watch == nil else { return load(onlyIfChanged: true) }
            findProblems()
            mailbox.post(
                .log(LogEntry(.warning, "Changes of the workspace's files cannot be detected here; Reload files in the palette reads them again")))
        }
    }

    /// Whether changes were started whose result effects do not use yet.
    var isChanging: Bool { changes.load(ordering: .acquiring) > 0 }

    /// Performs work on the queue, at whose end effects use the changed files.
    private func change(_ work: @escaping @Sendable () -> Void) {
        changes.add(1, ordering: .acquiringAndReleasing)
        queue.async { [self] in
            work()
            changes.subtract(1, ordering: .acquiringAndReleasing)
        }
    }

    /// Reads the workspace again.
    func reload() {
        change { [self] in load() }
    }

    /// Writes an endpoint to its file.
    func save(_ job: JobID, _ endpoint: Endpoint, _ original: Endpoint?) {
        change { [self] in
            let outcome: EndpointSaveOutcome
            do throws(WorkspaceError) {
                outcome = .saved(try source.folder.save(endpoint, replacing: original))
            } catch  where error.code == .changedOnDisk {
                let isBody = endpoint.editedBodyFile.map { FilePath.joining(source.folder.path, error.file) == $0.path } ?? false
                outcome = isBody ? .bodyFileChanged("\(error)") : .changedOnDisk("\(error)")
            } catch {
                outcome = .failed(error.workbenchSentence)
            }
            // The workspace is read first, because the user is asked about the current content of the file.
            switch outcome {
            case .changedOnDisk, .bodyFileChanged: load()
            case .saved, .failed: break
            }
            mailbox.post(.saved(job, outcome))
            if case .saved = outcome { load() }
        }
    }

    /// Writes an endpoint to a new file.
    func create(_ job: JobID, _ endpoint: Endpoint) {
        change { [self] in
            do throws(WorkspaceError) {
                let made = try source.folder.save(endpoint, replacing: nil)
                load()
                mailbox.post(.created(job, .done(made.location?.file ?? endpoint.target)))
            } catch {
                mailbox.post(.created(job, .failed(error.workbenchSentence)))
            }
        }
    }

    /// Changes files.
    func perform(_ job: JobID, _ edit: WorkspaceEdit) {
        change { [self] in
            let changes: FileChanges
            do throws(WorkspaceError) { changes = try source.folder.perform(edit) } catch {
                mailbox.post(.workspaceEdited(job, .failed(error.workbenchSentence)))
                return
            }
            report(changes, of: job)
        }
    }

    /// Stores values on this machine and declares their secrets; what was stored is removed again where the files cannot be changed.
    func store(_ job: JobID, _ values: [SecretValue], _ declarations: SecretDeclarations, in store: SecretStore) {
        change { [self] in
            var before: [(name: String, value: String?)] = []
            var names: [String: String] = [:]
            do throws(WorkspaceError) {
                for value in values {
                    if value.replaces {
                        before.append((value.name, try store.value(of: value.name)))
                        _ = try store.set(value.name, to: value.value)
                        continue
                    }
                    let (name, isNew) = try store.add(value.value, named: value.name)
                    if isNew { before.append((name, nil)) }
                    names[value.name] = name
                }
                let declarations = declarations.storing(names)
                let changes = try source.folder.perform(.declareSecrets(declarations))
                report(changes, of: job)
            } catch {
                var sentence = "\(error)"
                for (name, value) in before.reversed() {
                    do throws(WorkspaceError) {
                        if let value { _ = try store.set(name, to: value) } else { _ = try store.forget(name) }
                    } catch { sentence += "; the secret \(name) stays in the store: \(error)" }
                }
                mailbox.post(.workspaceEdited(job, .failed(sentence)))
            }
        }
    }

    /// Reads the workspace after a change of its files, and posts both.
    private func report(_ changes: FileChanges, of job: JobID) {
        // The files have changed, and undo needs their previous content, so a workspace that cannot be read is reported separately.
        do {
            let loaded = try read()
            mailbox.post(.workspaceEdited(job, .done(changes, loaded, use(loaded))))
            findProblems()
        } catch {
            mailbox.post(.workspaceEdited(job, .done(changes, requests.workspace)))
            mailbox.post(.workspaceFailed((error as? CommandFailure)?.message ?? "\(error)"))
        }
    }

    /// Determines what saving an endpoint would change in its file.
    func compare(_ job: JobID, _ endpoint: Endpoint, _ original: Endpoint) {
        let cancellation = jobs.begin(job)
        queue.async { [self] in
            if !cancellation.isCancelled {
                mailbox.post(.comparedWithFile(job, source.difference(saving: endpoint, replacing: original)))
            }
            jobs.end(job)
        }
    }

    /// Stores a permission.
    func store(_ permission: WorkspacePermission, _ capabilities: Set<Capability>) {
        queue.async { [mailbox] in
            do throws(WorkspaceError) { try permission.permitForGood(capabilities) } catch {
                mailbox.post(.log(LogEntry(.error, "The permission could not be stored and is valid until Sortie ends: \(error)")))
            }
        }
    }

    /// Compares the programs of commands with their digests, because an edit of a program changes no file that is watched.
    ///
    /// - Parameter work: Called on the queue: with nil where nothing changed, otherwise with the workspace with the present digests, which effects
    ///   use already.
    func comparePrograms(_ work: @escaping @Sendable (Workspace?) -> Void) {
        queue.async { [self] in
            let before = requests.workspace
            var current = before
            current.findProgramDigests()
            guard current.programDigests != before.programDigests else { return work(nil) }
            _ = use(current)
            work(current)
            findProblems()
        }
    }

    /// Inspects files that requests name, after what was started to save.
    func inspect(_ paths: [String], readingText text: String?) {
        queue.async { [self] in mailbox.post(.filesInspected(FolderReader.inspect(paths, readingText: text, in: source.folder))) }
    }

    /// Performs work on the queue, after what was started before.
    func perform(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

    /// Finds the problems that need further files, and posts them where they have changed.
    ///
    /// They are those of `sortie check`, except that `.proto` files are not compiled: opening a workspace starts no program.
    private func findProblems() {
        let number = problems.withLock { problems in
            problems.searches += 1
            return problems.searches
        }
        problemQueue.async { [self] in
            guard problems.withLock({ $0.searches == number }) else { return }
            let workspace = requests.workspace
            let found = workspace.schemaProblems + workspace.protoProblems(compilingIn: nil) + workspace.hookProblems
            let hasChanged = problems.withLock { problems in
                defer { problems.posted = found }
                return problems.posted != found
            }
            if hasChanged { mailbox.post(.problemsFound(found)) }
        }
    }

    /// Waits for the changes that were started, so that the end of the program neither loses nor interrupts one.
    func finish() { queue.sync {} }

    /// Reads the workspace, and watches its current folders.
    private func read() throws -> Workspace {
        watch.withLock { $0 }?.refresh()
        return try source.load(after: requests.workspace)
    }

    private func load(onlyIfChanged: Bool = false) {
        do {
            let before = requests.workspace
            let loaded = try read()
            // Another file may be there now, such as a program or a schema.
            if onlyIfChanged, loaded == before {
                mailbox.post(.otherFilesChanged)
                return findProblems()
            }
            mailbox.post(.workspaceLoaded(loaded, use(loaded)))
            findProblems()
        } catch let failure as CommandFailure {
            mailbox.post(.workspaceFailed(failure.message))
        } catch {
            mailbox.post(.workspaceFailed("\(error)"))
        }
    }
}
