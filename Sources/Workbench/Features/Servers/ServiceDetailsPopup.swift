internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

/// The settings of a service, as its endpoints use them: servers, limits, plugins, trust, envelope.
struct ServiceDetailsPopup: ReadingPopup {
    /// The folder of the service.
    var folder: String
    var position = ReadingPosition()

    var guideTopic: String? { "workspaces" }
    var name: String { "the settings" }

    func text(width: Int, _ state: AppState) -> ReadingText {
        let service = state.workspace.service(folder)
        let lines = service.map { ServiceDetails(service: $0, state: state).facts } ?? []
        let nameWidth = 2 + lines.reduce(0) { max($0, $1.name.count) }
        return ReadingText(
            title: service?.name ?? folder, subtitle: service?.location?.file ?? folder,
            lines: lines.flatMap { fact in
                WrappedText.lines(fact.value, width: max(10, width - nameWidth)).enumerated().map { index, piece in
                    [Span(ColumnText.padded(index == 0 ? fact.name : "", to: nameWidth), .info), Span(piece, fact.isMarked ? .success : .text)]
                }
            })
    }

    func plainText(_ state: AppState) -> String {
        guard let service = state.workspace.service(folder) else { return "" }
        return ServiceDetails(service: service, state: state).facts.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
    }
}
