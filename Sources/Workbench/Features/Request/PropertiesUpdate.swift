internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// The list of the properties of an endpoint: the keys of its file.
extension RequestFeature {
    /// Lists every key of the endpoint's file with its value and meaning; choosing one edits it where it is shown.
    static func showProperties(_ state: inout AppState) {
        guard let endpoint = state.openEndpoint, let sections = state.sections else { return }
        let items = sections.endpointKeys.map { key in
            let value = value(of: key.name, in: endpoint, sections, state.redaction)
            return ListPopup.Item(name: key.name, label: value.map { "\($0) · \(key.summary)" } ?? key.summary, isCurrent: value != nil) { state in
                guard let property = EndpointProperty(key: key.name) else {
                    state.toast = Toast("\(key.name): is edited in the file of the endpoint, which \(state.key(.editOutside)) opens")
                    return []
                }
                return edit(property, &state)
            }
        }
        state.show(
            ListPopup(
                title: "Properties of \(endpoint.name)",
                message: "• is set; \(state.key(.choose)) edits it where it is shown, where \(state.key(.deleteRow)) resets it.", items: items,
                filter: TextField(), emptyText: "No property matches."))
    }

    /// The value of a key in a few words, without secrets; nil for one that is not set.
    private static func value(of key: String, in endpoint: Endpoint, _ sections: any SectionFormat, _ redaction: Redaction) -> String? {
        guard let value = sections.value(ofKey: key, in: endpoint) else { return nil }
        switch EndpointProperty(key: key) {
        case .tab(.params): return ItemCount.text(endpoint.query.count, "row")
        case .tab(.headers): return ItemCount.text(endpoint.headers.count + (endpoint.removedHeaders?.count ?? 0), "row")
        case .tab(.body): return BodyChoice(endpoint.body).rawValue
        case .tab(.auth): return AuthChoice(endpoint.auth).rawValue
        case .section(.variables): return endpoint.variables.keys.sorted().joined(separator: ", ")
        case .url: return redaction.maskedURL(value)
        default: return redaction.masked(value)
        }
    }

    /// Goes to the place of a property, and starts to edit it.
    ///
    /// A switch is only selected, because editing it would change it.
    static func edit(_ property: EndpointProperty, _ state: inout AppState) -> [Effect] {
        guard state.openEndpoint != nil else { return [] }
        leaveEditing(&state)
        state.focus(.request)
        switch property {
        case .url: editURL(&state)
        case .method: chooseMethod(&state)
        case .tab(let tab):
            state.requestState.tab = tab
            state.requestState.row = 0
            if tab == .params || tab == .headers, rows(state).first?.listIndex == nil { addRow(&state) } else { editText(&state) }
        case .option(let option):
            state.requestState.tab = .options
            state.requestState.row = rows(state).firstIndex { $0.option == option } ?? 0
            if case .flag = option.notation {
                state.toast = Toast("\(state.key(.toggle)) switches \(option.label.lowercased())")
            } else {
                editText(&state)
            }
        case .section(let section):
            state.requestState.tab = .rules
            state.requestState.row = rows(state).firstIndex { $0.section == section } ?? 0
            editSection(section, line: 0, &state)
        }
        return []
    }
}
