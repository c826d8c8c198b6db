internal import Dispatch
internal import Model
internal import Networking
internal import Storage
internal import Synchronization
internal import Workbench

/// The downloads that the workbench started.
final class TransferEffects: Sendable {
    /// How long the end of the program waits for what came to be safe; a crash loses no more than the last seconds either.
    private static let patience = DispatchTimeInterval.seconds(5)

    private let mailbox: Mailbox
    private let state = Mutex(State())

    private struct State {
        var running: [CallID: RunningDownload] = [:]
        /// What was wanted of those that had not begun yet.
        var wishes: [CallID: Wish] = [:]
        /// What ends the commands of secrets that a request waits for.
        var resolving: [CallID: Cancellation] = [:]
    }

    /// What a person wants of a download.
    enum Wish: Hashable, Sendable {
        case pause, resume
        case cancel(keepsPart: Bool)
    }

    init(mailbox: Mailbox) {
        self.mailbox = mailbox
    }

    /// Starts a download in the background and tells what happens.
    func start(
        _ id: CallID, _ order: QueuedTransfer, client: Client,
        resolve: @escaping @Sendable (QueuedTransfer, Cancellation) async throws(Problem) -> Request
    ) {
        let cancellation = Cancellation()
        state.withLock { $0.resolving[id] = cancellation }
        Task {
            let request: Request
            do throws(Problem) {
                let place = order.destination ?? "."
                if let protected = ProtectedLocation(place, .writing) {
                    throw Problem(
                        order.endpoint.location ?? SourceLocation(file: order.endpoint.target),
                        "\(protected.message); choose another place, or use sortie download -o with --force")
                }
                request = try await resolve(order, cancellation)
            } catch {
                state.withLock { state in
                    state.resolving[id] = nil
                    state.wishes[id] = nil
                }
                mailbox.post(.callFailedToStart(id, error))
                return
            }
            var download = Download(request, to: .file(order.destination ?? "."))
            download.connections = order.endpoint.download?.connections ?? 1
            // Nothing that is there is lost by a key pressed once too often.
            download.collision = .keepBoth
            let running = client.downloads.start(download)
            state.withLock { state in
                state.resolving[id] = nil
                state.running[id] = running
                if let wish = state.wishes.removeValue(forKey: id) { Self.tell(wish, running) }
            }
            for await event in running.events { mailbox.post(.download(id, event)) }
            state.withLock { $0.running[id] = nil }
        }
    }

    /// Lets a download do something else.
    func want(_ wish: Wish, of id: CallID) {
        // Under the lock, so that what is wanted last is told last.
        state.withLock { state in
            if let running = state.running[id] { Self.tell(wish, running) } else { state.wishes[id] = wish }
        }
        // Not under the lock, because it runs what waits for it.
        if case .cancel = wish { state.withLock { $0.resolving[id] }?.cancel() }
    }

    private static func tell(_ wish: Wish, _ running: RunningDownload) {
        switch wish {
        case .pause: running.pause()
        case .resume: running.resume()
        case .cancel(let keepsPart): running.cancel(keepsPart: keepsPart)
        }
    }

    /// Removes what there is of a download that does not run.
    func discard(_ order: QueuedTransfer) {
        guard let file = order.file else { return }
        do throws(NetworkError) { try Downloads.discard(file) } catch {
            mailbox.post(.log(LogEntry(.error, source: order.endpoint.target, error.message)))
        }
    }

    /// Ends all downloads and waits until what came of them is safe.
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
