internal import SortieHTTP
internal import WorkspaceModel

/// The lists of choices of the request pane.
extension AppState {
    mutating func chooseMethod() {
        guard let method = openEndpoint?.method else { return }
        var items = HTTPMethod.common.map {
            methodItem($0, isCurrent: $0 == method)
        }
        if !HTTPMethod.common.contains(method) {
            items.append(methodItem(method, isCurrent: true))
        }
        items.append(
            .init(label: "Other…", detail: "enter one") { state in
                state.popups.push(Prompt("Method", placeholder: "PROPFIND") { prompt, state in state.setMethod(prompt.text) })
                return []
            })
        show(ListPopup(title: "Method", items: items))
    }

    private func methodItem(_ method: HTTPMethod, isCurrent: Bool) -> ListPopup.Item {
        .init(label: method.rawValue, isCurrent: isCurrent) { state in
            state.change { $0.method = method }
            return []
        }
    }

    /// Takes the typed method.
    private mutating func setMethod(_ text: String) -> [Effect] {
        guard let method = HTTPMethod(text) else {
            toast = Toast("“\(text)” is not a method: write letters, digits or hyphens", .warning)
            return []
        }
        popups.pop()
        change { $0.method = method }
        return []
    }

    mutating func choose(_ setting: RequestRow.Setting) {
        guard let endpoint = openEndpoint else { return }
        switch setting {
        case .bodyKind:
            show(
                ListPopup(
                    title: "Body",
                    items: BodyChoice.allCases.map { kind in
                        .init(label: kind.rawValue, detail: kind.detail, isCurrent: kind == BodyChoice(endpoint.body)) { $0.change(to: kind) }
                    }))
        case .authKind:
            show(
                ListPopup(
                    title: "Auth",
                    items: AuthChoice.allCases.map { kind in
                        .init(label: kind.rawValue, detail: kind.detail, isCurrent: kind == AuthChoice(endpoint.auth)) { $0.change(to: kind) }
                    }))
        case .option(let option):
            guard case .choice(let choices) = option.editor else { return }
            let current = option.value(of: endpoint, defaults: OptionDefaults(of: endpoint, in: workspace))
            show(
                ListPopup(
                    title: option.rawValue,
                    items: choices.map { choice in
                        .init(label: choice.value, detail: choice.detail, isCurrent: choice.value == current) { state in
                            state.change { [workspace = state.workspace] in
                                _ = option.set(choice.value, of: &$0, defaults: OptionDefaults(of: $0, in: workspace))
                            }
                            return []
                        }
                    }))
        case .bodyFile, .bodyType, .authUser, .authPassword, .authToken: break
        }
    }

    /// Changes the kind of body, and restores the previous body of that kind.
    private mutating func change(to kind: BodyChoice) -> [Effect] {
        guard let old = openEndpoint?.body else { return [] }
        requestState.otherBodies[BodyChoice(old)] = old
        let body = requestState.otherBodies[kind] ?? kind.body(from: old)
        change { $0.body = body }
        return []
    }

    /// Changes the authentication scheme, and restores the previous credentials of that scheme.
    private mutating func change(to kind: AuthChoice) -> [Effect] {
        guard let old = openEndpoint?.auth else { return [] }
        requestState.otherAuths[AuthChoice(old)] = old
        let auth = kind.auth(from: old, before: requestState.otherAuths[kind])
        change { $0.auth = auth }
        return []
    }
}
