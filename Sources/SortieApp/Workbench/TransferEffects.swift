internal import Dispatch
internal import SortieNetworking
internal import SortieStorage
internal import SortieWorkbench
internal import Synchronization
internal import WorkspaceModel

/// The downloads of the workbench.
final class TransferEffects: Sendable {
    /// The time to wait at exit for received bytes to be synced.
    ///
    /// A crash loses no more than the last seconds either.
    private static let patience = DispatchTimeInterval.seconds(5)

    private let folders: UserFolders
    private let mailbox: Mailbox
    private let state = Mutex(State())

    private struct State {
        var running: [CallID: DownloadTask] = [:]
        /// The commands for downloads that have not started.
        var commands: [CallID: TransferCommand] = [:]
        /// Cancels the commands of secrets that a request waits for.
        var resolving: [CallID: Cancellation] = [:]
    }

    init(_ folders: UserFolders, mailbox: Mailbox) {
        (self.folders, self.mailbox) = (folders, mailbox)
    }

    /// Starts a download in the background and posts its events.
    func start(
        _ id: CallID, _ transfer: QueuedTransfer, client: Client,
        resolve: @escaping @Sendable (QueuedTransfer, Cancellation) async throws(Diagnostic) -> PreparedRequest
    ) {
        let cancellation = Cancellation()
        state.withLock { $0.resolving[id] = cancellation }
        BlockingExecutor.shared.start { [self] in
            let (prepared, place): (PreparedRequest, String)
            do throws(Diagnostic) {
                prepared = try await resolve(transfer, cancellation)
                place = prepared.destination ?? transfer.destination ?? "."
                if let protected = ProtectedLocation(place, .writing, folders) {
                    throw Diagnostic(
                        transfer.endpoint.location ?? SourceLocation(file: transfer.endpoint.target),
                        "\(protected.message); choose another place for the download")
                }
            } catch {
                state.withLock { state in
                    state.resolving[id] = nil
                    state.commands[id] = nil
                }
                mailbox.post(.callFailedToStart(id, error))
                return
            }
            let name = ResponseFileName(path: place)
            var download = Download(prepared.request, to: name.map { .folder($0.folder) } ?? .file(place))
            // An accidental repetition must not overwrite an existing file, unless the endpoint says so.
            download.collision = .keepBoth
            transfer.endpoint.download?.apply(to: &download)
            let running = client.downloads.start(download, destination: name?.destination)
            state.withLock { state in
                state.resolving[id] = nil
                state.running[id] = running
                if let command = state.commands.removeValue(forKey: id) { running.follow(command) }
            }
            for await event in running.events { mailbox.post(.download(id, event)) }
            state.withLock { $0.running[id] = nil }
        }
    }

    /// Passes a command to a download.
    func follow(_ command: TransferCommand, _ id: CallID) {
        // Under the lock, so that the last command is applied last.
        state.withLock { state in
            if let running = state.running[id] { running.follow(command) } else { state.commands[id] = command }
        }
        // Not under the lock, because it calls handlers.
        if command.isFinal { state.withLock { $0.resolving[id] }?.cancel() }
    }

    /// Removes the partial file of a download that does not run.
    func discard(_ transfer: QueuedTransfer) {
        guard let file = transfer.file else { return }
        do throws(NetworkError) { try Downloads.discard(file) } catch {
            mailbox.post(.log(LogEntry(.error, source: transfer.endpoint.target, error.message)))
        }
    }

    /// Cancels all downloads and waits until the received bytes are synced.
    func stop() {
        for cancellation in state.withLock({ Array($0.resolving.values) }) { cancellation.cancel() }
        let group = DispatchGroup()
        for running in state.withLock({ Array($0.running.values) }) {
            running.cancel(keepsPart: true)
            group.enter()
            Task {
                _ = await running.result
                group.leave()
            }
        }
        _ = group.wait(timeout: .now() + Self.patience)
    }
}
