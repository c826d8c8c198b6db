internal import SortieNetworking
internal import SortieWorkbench

/// Posts the statistics of the client while they change, at most four times a second.
final class MonitorWatch: Sendable {
    private static let interval = Duration.milliseconds(250)
    private let task: Task<Void, Never>

    init(_ monitor: Monitor, mailbox: Mailbox) {
        task = Task {
            for await _ in monitor.changes() {
                mailbox.post(.monitored(monitor.snapshot()))
                do { try await Task.sleep(for: Self.interval) } catch { return }
            }
        }
    }

    deinit { task.cancel() }
}
