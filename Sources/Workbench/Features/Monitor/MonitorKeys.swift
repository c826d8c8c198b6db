internal import SortieTerminal

extension Context {
    static let monitor = Context("Monitor")
}

extension BottomTab {
    static let monitor = BottomTab("Monitor")
}

extension MonitorFeature {
    var bindings: [Binding] { [Binding(.panes, [.character("M")], .show(.monitor), "Monitor", "Show the Monitor")] }
}
