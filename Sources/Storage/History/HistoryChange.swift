/// What happened to the history, for who shows it.
public enum HistoryChange: Sendable {
    /// Exchanges came, changed or went, by this program or another one.
    case written
    /// Something could not be kept; told once for each kind of failure, until it works again.
    case failed(WorkspaceError)
}
