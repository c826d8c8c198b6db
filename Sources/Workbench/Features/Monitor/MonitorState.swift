internal import SortieHTTP
internal import WorkspaceModel

/// The state of the monitor tab.
struct MonitorState: FeatureState {
    /// The latest statistics.
    var report = MonitorReport()
    /// The selected row.
    var selected = 0

    /// Whether there are no statistics and no events.
    var isEmpty: Bool { report.services.isEmpty && report.timeline.isEmpty }

    /// The rows from top to bottom.
    var rows: [MonitorRow] { MonitorRow.rows(of: report) }
}

extension AppState {
    /// The state of the monitor tab.
    var monitor: MonitorState {
        get { states[MonitorState.self] }
        _modify { yield &states[MonitorState.self] }
    }

    /// The index of the server that requests of a service go to, from 0.
    func serverIndex(of service: Service) -> Int { monitor.report.serverIndex(of: service.folder, in: environment) }
}
