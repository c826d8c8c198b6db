/// The steps in the document of a run.
extension YAMLNode {
    /// The nodes of the steps of a run's document in order, those of parallel groups included; empty for another document.
    var runSteps: [YAMLNode] {
        ((self["chain"] ?? self["batch"])?.items ?? []).flatMap { item in item["parallel"].map { $0.items ?? [] } ?? [item] }
    }
}
