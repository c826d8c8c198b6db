internal import SortieTerminal

extension Context {
    static let runs = Context("Runs")
}

extension BottomTab {
    static let runs = BottomTab("Runs")
}

extension Command {
    static let restartRun = Command.named("restartRun")
    static let cancelRun = Command.named("cancelRun")
}

extension RunsFeature {
    var bindings: [Binding] {
        [
            Binding(.runs, [.enter], .open, "Show", "Show the request and the response of the step", hint: 3, unless: \.noStepReason),
            Binding(
                .runs, [.character("r")], .restartRun, "Restart", "Restart the run at the failed step; send a request that waits for the network",
                hint: 4,
                unless: \.cannotRestartReason),
            Binding(
                .runs, [.character("x")], .cancelRun, "Cancel", "Cancel the run, or a request that waits for the network", hint: 2,
                unless: \.noRunReason),
            Binding(.panes, [.character("R")], .show(.runs), "Runs", "Show Runs"),
        ]
    }
}
