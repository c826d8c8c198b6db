internal import Networking
internal import Workbench

/// Shows the workbench what its client counts, while something happens and not more often than a person can look.
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
