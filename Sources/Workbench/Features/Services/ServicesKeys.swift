internal import SortieTerminal

extension Context {
    static let services = Context("Services")
}

extension ServicesFeature {
    var bindings: [Binding] {
        [
            Binding(.services, [.enter], .open, "Open", "Open the endpoint in Request; fold or unfold a service", hint: 3),
            Binding(.services, [.space], .toggle, "Fold", "Fold or unfold"),
        ]
    }
}
