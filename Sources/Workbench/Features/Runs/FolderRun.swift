internal import SortieHTTP
internal import WorkspaceModel

/// Sending all endpoints of a service or a folder, or only those that change nothing on the server.
extension RunsFeature {
    /// Asks before all endpoints of a folder are sent, where some of them may change something on the server.
    ///
    /// - Parameters:
    ///   - name: The folder. Nothing is asked for a run that is in a file, because its steps were chosen one by one.
    ///   - work: Starts the run; its first argument is whether these endpoints are left out.
    static func confirmUnsafe(
        _ name: String?, _ state: inout AppState, then work: @escaping @Sendable (_ onlySafe: Bool, inout AppState) -> [Effect]
    ) -> [Effect] {
        guard let name, !state.workspace.runs.contains(where: { $0.name == name }), let run = state.workspace.run(named: name) else {
            return work(false, &state)
        }
        let methods = run.steps.compactMap { state.endpoint(EndpointID($0.target))?.method }.filter { !$0.isSafe }
        guard !methods.isEmpty else { return work(false, &state) }
        let (count, safe) = (run.steps.count, run.steps.count - methods.count)
        let names = Set(methods.map(\.rawValue)).sorted().joined(separator: ", ")
        var items = [
            ListPopup.Item.plain(label: "Send nothing", detail: "\(state.key(.newRun, in: .services)) in Services makes a run of some"),
            .init(label: "Send all \(count)", detail: "with \(names)") { work(false, &$0) },
        ]
        if safe > 0 { items.insert(.init(label: "Only the safe ones", detail: "\(safe) of \(count), without \(names)") { work(true, &$0) }, at: 0) }
        state.show(
            ListPopup(
                title: "Send all endpoints of \(name)?",
                message: "\(methods.count) of \(count) have \(names), and may change something on the server.", items: items))
        return []
    }

    /// The record of a run without the steps that may change something on the server; nil where these are sent, too.
    static func safeRecord(_ onlySafe: Bool, of name: String, in environment: String?, _ state: AppState) -> RunRecord? {
        guard onlySafe, let run = state.workspace.run(named: name) else { return nil }
        var record = RunPlan(run).newRecord(environment: environment)
        for index in record.steps.indices {
            guard let method = state.endpoint(EndpointID(record.steps[index].target))?.method, !method.isSafe else { continue }
            record.steps[index].state = .skipped
            record.steps[index].reason = "left out, because \(method.rawValue) may change something on the server"
        }
        return record
    }
}
