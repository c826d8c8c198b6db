internal import SortieHTTP
internal import WorkspaceModel

/// The lists of choices of the request pane.
extension RequestFeature {
    static func chooseMethod(_ state: inout AppState) {
        guard let method = state.openEndpoint?.method else { return }
        let methods = HTTPMethod.common + (HTTPMethod.common.contains(method) ? [] : [method])
        var items = methods.map { choice in
            ListPopup.Item(label: choice.rawValue, isCurrent: choice == method) { state in
                state.change { $0.method = choice }
                return []
            }
        }
        items.append(
            .init(label: "Other…", detail: "enter one") { state in
                var prompt = Prompt("Method", placeholder: "PURGE, PROPFIND or any other token") { prompt, state in setMethod(prompt, &state) }
                prompt.place = .method
                state.popups.push(prompt)
                return []
            })
        state.show(ListPopup(title: "Method", items: items))
    }

    /// Takes the typed method, or shows why it is not one.
    private static func setMethod(_ prompt: Prompt, _ state: inout AppState) -> [Effect] {
        state.popups.pop()
        let text = prompt.text.trimmingBlanks
        guard let method = HTTPMethod(text) else {
            var again = prompt
            again.problem = methodProblem(text)
            state.popups.push(again)
            return []
        }
        state.change { $0.method = method }
        return []
    }

    /// Why a text is not a method (RFC 9110 §5.6.2, §9.1).
    private static func methodProblem(_ text: String) -> String {
        guard let bad = text.first(where: { HTTPMethod(String($0)) == nil }) else { return "Write the name of a method, such as PURGE" }
        let name = bad == " " ? "a space" : "“\(bad)”"
        return "A method cannot contain \(name): write letters, digits and !#$%&'*+-.^_`|~, such as PURGE"
    }

    static func choose(_ setting: RequestRow.Setting, _ state: inout AppState) {
        guard let endpoint = state.openEndpoint else { return }
        switch setting {
        case .bodyKind:
            let current = BodyChoice(endpoint.body)
            let choices = BodyChoice.allCases.map { ($0.rawValue, $0.detail) }
            // Without a body, the most common kind is selected.
            state.choose("Body", choices, current.rawValue, selecting: current == .none ? BodyChoice.json.rawValue : nil) { choice, state in
                BodyChoice(rawValue: choice).map { change(to: $0, &state) } ?? []
            }
        case .authKind:
            let service = endpoint.inherits == false ? nil : state.workspace.service(endpoint.serviceName)
            let isOpen = endpoint.auth == .inherit && (service?.auth ?? Auth.none) == Auth.none
            let choices = AuthChoice.allCases.map { ($0.rawValue, $0.detail) }
            // Where nothing is inherited, the most common scheme is selected.
            state.choose("Auth", choices, AuthChoice(endpoint.auth).rawValue, selecting: isOpen ? AuthChoice.bearer.rawValue : nil) { choice, state in
                AuthChoice(rawValue: choice).map { change(to: $0, &state) }
                return []
            }
        case .option(let option):
            guard case .words(_, let choices) = option.notation else { return }
            let current = option.value(of: endpoint, defaults: OptionDefaults(of: endpoint, in: state.workspace))
            state.choose(option.label, choices, current) { choice, state in
                state.change { [workspace = state.workspace] in _ = option.set(choice, of: &$0, defaults: OptionDefaults(of: $0, in: workspace)) }
                return []
            }
        case .auth(let field):
            guard let words = field.words else { return }
            state.choose(field.label, words.map { ($0, "") }, endpoint.auth[field]) { choice, state in
                state.change { $0.auth[field] = choice }
                return []
            }
        case .bodyFile, .bodyType, .operation, .service: break
        }
    }

    /// Changes the kind of body, restores the previous body of that kind, and opens its editor.
    private static func change(to kind: BodyChoice, _ state: inout AppState) -> [Effect] {
        guard let old = state.openEndpoint?.body else { return [] }
        state.requestState.otherBodies[BodyChoice(old)] = old
        let body = state.requestState.otherBodies[kind] ?? kind.body(from: old)
        // Few servers read the body of a GET request, and by GET a GraphQL request would be in the URL.
        let isPosted = BodyChoice(old) == .none && kind != .none && state.openEndpoint?.method == .get || kind == .graphQL
        state.change {
            $0.body = body
            if isPosted, $0.method == .get { $0.method = .post }
        }
        switch body {
        case .json, .graphQL, .text, .plist: editBody(.content, line: 0, &state)
        case .form(let fields): if fields.isEmpty { addRow(&state) }
        case .multipart(let parts): if parts.isEmpty { addRow(&state) }
        case .file(let path, _): return path.isEmpty ? pickFile(&state) : []
        case .none: break
        }
        return []
    }

    /// Changes the authentication scheme, restores the previous credentials of that scheme, and edits the first one where it is empty.
    private static func change(to kind: AuthChoice, _ state: inout AppState) {
        guard let old = state.openEndpoint?.auth else { return }
        state.requestState.otherAuths[AuthChoice(old)] = old
        let auth = kind.auth(from: old, before: state.requestState.otherAuths[kind])
        state.change { $0.auth = auth }
        let rows = rows(state)
        guard let index = rows.firstIndex(where: { if case .setting(.auth) = $0.kind { true } else { false } }), rows[index].value.isEmpty
        else { return }
        startEditing(row: index, .value, &state)
    }
}
