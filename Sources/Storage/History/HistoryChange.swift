/// A change of the history, for its observers.
package enum HistoryChange: Sendable {
    /// Exchanges were added, changed or removed, by this program or another one.
    case written
    /// Something could not be stored. Each kind of failure is reported once, until storing succeeds again.
    case failed(WorkspaceError)
}
