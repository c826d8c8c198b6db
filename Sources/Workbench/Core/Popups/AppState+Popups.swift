internal import Model
internal import Terminal

/// Popups: opening them, and the actions of their choices.
extension AppState {
    mutating func show(_ list: ListPopup) {
        leaveEditing()
        searchEntry = nil
        history.entry = nil
        services.isFiltering = false
        var list = list
        list.selectCurrent()
        popup = .list(list)
    }

    mutating func chooseEnvironment() {
        show(
            ListPopup(
                title: "Environment",
                items: workspace.environments.map {
                    let names = $0.variables.keys.sorted().joined(separator: ", ")
                    return .init(label: $0.name, detail: names, choice: .environment($0.name), isCurrent: $0.name == environment)
                }))
    }

    mutating func chooseMethod() {
        guard let method = openEndpoint?.method else { return }
        var items = HTTPMethod.common.map {
            ListPopup.Item(label: $0.rawValue, choice: .method($0.rawValue), isCurrent: $0 == method)
        }
        if !HTTPMethod.common.contains(method) {
            items.append(.init(label: method.rawValue, choice: .method(method.rawValue), isCurrent: true))
        }
        items.append(.init(label: "Other…", detail: "type one", choice: .otherMethod))
        show(ListPopup(title: "Method", items: items))
    }

    mutating func choose(_ setting: RequestRow.Setting) {
        guard let endpoint = openEndpoint else { return }
        switch setting {
        case .bodyKind:
            show(
                ListPopup(
                    title: "Body",
                    items: BodyChoice.allCases.map {
                        .init(
                            label: $0.rawValue, detail: $0.detail, choice: .bodyKind($0),
                            isCurrent: $0 == BodyChoice(endpoint.body))
                    }))
        case .authKind:
            show(
                ListPopup(
                    title: "Auth",
                    items: AuthChoice.allCases.map {
                        .init(
                            label: $0.rawValue, detail: $0.detail, choice: .authKind($0),
                            isCurrent: $0 == AuthChoice(endpoint.auth))
                    }))
        case .option(let option):
            guard case .choice(let choices) = option.editor else { return }
            let current = option.value(of: endpoint, defaults: OptionDefaults(of: endpoint, in: workspace))
            show(
                ListPopup(
                    title: option.rawValue,
                    items: choices.map {
                        .init(label: $0.value, detail: $0.detail, choice: .option(option, $0.value), isCurrent: $0.value == current)
                    }))
        case .bodyFile, .bodyType, .authUser, .authPassword, .authToken: break
        }
    }

    mutating func showProblems() {
        show(
            ListPopup(
                title: "Problems", message: "Enter opens the file at the place.",
                items: workspace.problems.map { problem in
                    .init(
                        key: problem.severity == .error ? "✗" : "!", label: problem.location.description, detail: problem.message,
                        choice: .problem(problem))
                }, showsDetail: true, emptyText: "The workspace has no problems."))
    }

    mutating func showPalette() {
        let keymap = keymap
        var seen: Set<Command> = []
        let commands = keymap.bindings.filter { binding in
            binding.isForPalette && seen.insert(binding.command).inserted
        }
        var list = ListPopup(
            title: "Commands",
            items: commands.map {
                .init(
                    key: $0.keys.first?.label ?? "", label: $0.summary, detail: $0.reason(self) ?? "",
                    choice: .command($0.command))
            }, filter: TextField())
        list.emptyText = "No command has such a name."
        show(list)
    }

    mutating func showHelp() {
        let contexts = contexts
        var items: [ListPopup.Item] = []
        for context in contexts {
            let bindings = keymap.bindings.filter { $0.context == context && !$0.keys.isEmpty }
            guard !bindings.isEmpty else { continue }
            if !items.isEmpty { items.append(.init(label: "")) }
            items.append(.init(label: context.rawValue))
            items += bindings.map {
                .init(
                    key: $0.keys.map(\.label).joined(separator: " "), label: $0.summary, detail: $0.reason(self) ?? "",
                    choice: $0.isForPalette ? .command($0.command) : .nothing)
            }
        }
        show(ListPopup(title: "Keys for \(contexts.first?.rawValue ?? "here")", items: items))
    }

    /// Closes the popup without an action, and shows the one beneath it.
    mutating func closePopup() -> [Effect] {
        if case .prompt(let prompt) = popup, case .clientKey(let file) = prompt.purpose { return answerKeyQuestion(file, nil) }
        if case .files = popup { stopJobs { $0.kind == .folder } }
        popup = popup?.beneath
        return []
    }

    mutating func choose() -> [Effect] {
        if case .files(let picker) = popup { return chooseFile(picker) }
        guard case .list(let list) = popup, let choice = list.chosen?.choice else { return [] }
        popup = nil
        switch choice {
        case .environment(let name):
            environment = name
            notify("The environment is \(name ?? "none") now")
        case .method(let text):
            if let method = HTTPMethod(text) { change { $0.method = method } }
        case .otherMethod:
            popup = .prompt(Prompt(title: "Method", purpose: .method, field: TextField(), placeholder: "PROPFIND"))
        case .bodyKind(let kind): change(to: kind)
        case .authKind(let kind): change(to: kind)
        case .option(let option, let value):
            change { [workspace] in _ = option.set(value, of: &$0, defaults: OptionDefaults(of: $0, in: workspace)) }
        case .command(let command):
            if let reason = keymap.bindings.first(where: { $0.command == command })?.reason(self) {
                toast = Toast(reason, .warning)
                return []
            }
            return perform(command)
        case .problem(let problem):
            services.showRow(of: problem.location.file, in: workspace)
            openSelected()
            return [.openFile(nextJob(.openFile), problem.location)]
        case .conflict(let target, let choice): return resolve(target, choice)
        case .overwrite(let prompt): return answered(prompt, overwrites: true)
        case .askAgain(let prompt): popup = .prompt(prompt)
        case .transferLimit(let limit):
            transfers.limit = limit
            notify("\(NumberText.count(limit, "transfer")) at once")
            return startTransfers()
        case .quit(let answer): return quit(answer)
        case .deleteExchanges(let numbers): return delete(numbers)
        case .replay(let summary, let item): return replay(summary, item)
        case .replaySeveral(let items, let pace): return replay(items, pace)
        case .logService(let service): filterLog { $0.service = service }
        case .permission(let choice): return decide(choice)
        case .nothing: break
        }
        return []
    }

    /// Changes the kind of body, and restores the previous body of that kind.
    private mutating func change(to kind: BodyChoice) {
        guard let old = openEndpoint?.body else { return }
        requestState.otherBodies[BodyChoice(old)] = old
        let body = requestState.otherBodies[kind] ?? kind.body(from: old)
        change { $0.body = body }
    }

    /// Changes the authentication scheme, and restores the previous credentials of that scheme.
    private mutating func change(to kind: AuthChoice) {
        guard let old = openEndpoint?.auth else { return }
        requestState.otherAuths[AuthChoice(old)] = old
        let auth = kind.auth(from: old, before: requestState.otherAuths[kind])
        change { $0.auth = auth }
    }

    /// Applies the text of a prompt.
    ///
    /// - Parameter overwrites: Whether the user agreed to replace the named file.
    mutating func answered(_ prompt: Prompt, overwrites: Bool = false) -> [Effect] {
        let text = prompt.field.text
        switch prompt.purpose {
        case .method:
            guard let method = HTTPMethod(text) else {
                toast = Toast("“\(text)” is no method: write letters, digits or hyphens", .warning)
                return []
            }
            popup = nil
            change { $0.method = method }
        case .importCookies(let list): return answered(prompt, .importFile(text), in: list)
        case .exportCookies(let list): return answered(prompt, .exportFile(text, overwrites: overwrites), in: list)
        case .download(let target):
            guard !text.isEmpty, let endpoint = endpoint(target) else { return [] }
            popup = nil
            return enqueue(endpoint, to: folders.path(text, from: folders.current))
        case .clientKey(let file): return answerKeyQuestion(file, text)
        case .tags(let numbers): return tag(numbers, text)
        case .note(let number): return note(number, text)
        case .saveLog:
            guard !text.isEmpty else { return [] }
            popup = nil
            return [saveLog(prompt, overwrites: overwrites)]
        case .saveBody(let id):
            guard !text.isEmpty else { return [] }
            popup = nil
            guard let body = calls.values.first(where: { $0.id == id })?.body else {
                toast = Toast("That response is not shown any more", .warning)
                return []
            }
            return [.saveBody(nextJob(.saveFile(prompt)), body.bytes, to: text, overwrites: overwrites)]
        }
        return []
    }
}

extension Binding {
    /// Whether the palette lists the command.
    ///
    /// Navigation within a pane or popup is excluded.
    var isForPalette: Bool {
        switch command {
        case .move, .fold, .unfold, .text, .accept, .nextField, .previousField, .newLine, .lineUp, .lineDown, .pageUp, .pageDown,
            .leave, .choose, .close, .palette, .folderUp, .completeName, .toggleHidden, .moveRow, .moveTransfer, .editText, .deleteDomain,
            .clearCookies,
            .importCookies, .exportCookies:
            false
        default: true
        }
    }
}
