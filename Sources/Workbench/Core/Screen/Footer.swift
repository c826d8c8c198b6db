internal import SortieBase
internal import SortieTerminal
internal import WorkspaceModel

/// The footer: the current context and the available keys.
extension AppState {
    func drawFooter(on canvas: inout Canvas, in rect: Rect) {
        let hints = placedHints(in: rect)
        let end = hints.first?.area.column ?? rect.width - 1
        canvas.write(footerFacts, at: Point(column: 1, row: rect.row), width: max(0, end - 2))
        for (hint, area) in hints {
            canvas.write([Span(hint.key, .key), Span(" "), Span(hint.label, .keyLabel)], at: area.origin)
        }
    }

    /// The command whose key is in the footer at a point, and that of the environment, which is a button, too.
    func footerCommand(at point: Point, in rect: Rect) -> Command? {
        if let hint = placedHints(in: rect).first(where: { $0.area.contains(point) })?.hint { return hint.command }
        guard popups.isEmpty, rect.contains(point), let environment = environmentColumns(in: rect) else { return nil }
        return environment.contains(point.column) ? .named("chooseEnvironment") : nil
    }

    /// The columns of the environment in the footer; nil where it is not shown.
    private func environmentColumns(in rect: Rect) -> Range<Int>? {
        let end = placedHints(in: rect).first.map { $0.area.column - 1 } ?? rect.width - 1
        let name = environment ?? "no environment"
        guard let index = footerFacts.firstIndex(where: { $0.text == name }) else { return nil }
        let start = 1 + footerFacts[..<index].reduce(0) { $0 + CellWidth.width(of: $1.text) }
        return start < end ? start..<min(end, start + CellWidth.width(of: name)) : nil
    }

    /// The positions of the keys in the footer, without the one of jump mode.
    func footerPoints(in rect: Rect) -> [Point] { placedHints(in: rect).filter { $0.hint.command != .jump }.map(\.area.origin) }

    /// The keys that fit, from left to right, with their areas.
    private func placedHints(in rect: Rect) -> [(hint: Hint, area: Rect)] {
        let hints = footerHints
        let width = rect.width - 2
        // Of a popup the keys come first, because the facts are those of the panes below it.
        if !popups.isEmpty { return placed(firstFitting(hints, width), in: rect) }
        // Pinned keys come first, then as much of the facts as fits, then the other keys in their order.
        var shown = hints.filter(\.isPinned)
        let factWidth = min(ColumnText.width(of: footerFacts), max(0, width - hintWidth(shown) - 2))
        for hint in hints where !hint.isPinned {
            let more = shown + [hint]
            if hintWidth(more) + factWidth + 3 <= width { shown = more }
        }
        shown.sort { $0.hint < $1.hint }
        while hintWidth(shown) > width, !shown.isEmpty { shown.removeFirst() }
        return placed(shown, in: rect)
    }

    /// The first keys that fit together, with the one that closes the popup in any case.
    private func firstFitting(_ hints: [Hint], _ width: Int) -> [Hint] {
        var shown = hints.filter { $0.command == .close }
        for hint in hints where hint.command != .close && hintWidth(shown + [hint]) <= width { shown.append(hint) }
        return shown.sorted { $0.hint < $1.hint }
    }

    private func placed(_ shown: [Hint], in rect: Rect) -> [(hint: Hint, area: Rect)] {
        var column = rect.width - 1 - hintWidth(shown)
        return shown.map { hint in
            defer { column += hint.width + 2 }
            return (hint, Rect(column: column, row: rect.row, width: hint.width, height: 1))
        }
    }

    private struct Hint {
        var command: Command
        var key: String
        var label: String
        var hint: Int
        /// Whether the key is shown however little room there is.
        var isPinned: Bool

        var width: Int { CellWidth.width(of: key) + 1 + CellWidth.width(of: label) }
    }

    /// The keys of available commands.
    private var footerHints: [Hint] {
        var seen: Set<Command> = []
        let contexts = contexts
        return keymap.bindings(in: contexts).compactMap { binding in
            // Most bindings have no hint; the comparison of keys and the reason are the expensive parts.
            guard binding.hint > 0 else { return nil }
            // A key that means something else in an inner context is not one of the command here.
            let key = binding.keys.first { keymap.binding(for: $0, in: contexts)?.command == binding.command }
            guard let key, binding.reason(self) == nil else { return nil }
            // A popup has to be closed first.
            if binding.command == .quit, !popups.isEmpty { return nil }
            // Without a request to cancel, it does what Esc does.
            if binding.command == .cancel, focusedCall == nil { return nil }
            guard seen.insert(binding.command).inserted else { return nil }
            let isPinned = binding.command == .cancel || binding.hint >= 100
            let hint = popups.isEmpty ? focusedPane.hint(of: binding.command, self) ?? binding.hint : binding.hint
            return Hint(command: binding.command, key: key.label, label: label(of: binding), hint: hint, isPinned: isPinned)
        }.sorted { $0.hint < $1.hint }
    }

    private func hintWidth(_ hints: [Hint]) -> Int {
        hints.reduce(0) { $0 + $1.width + 2 } - (hints.isEmpty ? 0 : 2)
    }

    /// The warnings at the start of the footer, with separators between them.
    private var alerts: [Span] { Array(features.all.compactMap { $0.alert(self) }.map { [$0] }.joined(separator: [Span(" · ", .muted)])) }

    /// The environment, service and server, what is in progress, and problems.
    ///
    /// Where an alert makes them longer than half of the row, it takes the room of what the titles of the panes have, too, so that the keys of the focused
    /// field stay.
    private var footerFacts: [Span] {
        let all = footerFacts(isShort: false)
        return alerts.isEmpty || ColumnText.width(of: all) <= size.width / 2 ? all : footerFacts(isShort: true)
    }

    private func footerFacts(isShort: Bool) -> [Span] {
        var facts = alerts
        func add(_ text: String, _ style: Style = .text) {
            if !facts.isEmpty { facts.append(Span(" · ", .muted)) }
            facts.append(Span(text, style))
        }
        if let environment { add(environment, .accent) } else if !isShort { add("no environment", .muted) }
        if !isShort, let endpoint = openEndpoint, let service = workspace.service(endpoint.serviceName) {
            let count = environment.flatMap { service.servers[$0]?.count } ?? 0
            add(count > 1 ? "\(service.name) → server \(serverIndex(of: service) % count + 1) of \(count)" : service.name)
        }
        if showsSecrets { add("secrets shown", .warning) }
        if callsInFlight > 0 { add("\(callsInFlight) in flight", .info) }
        let (transfers, parked) = (calls.transfersUnderWay, calls.parked.count)
        if transfers > 0 { add(ItemCount.text(transfers, "transfer"), .info) }
        if parked > 0 { add("\(parked) waiting", .warning) }
        let edited = editedDrafts.count + markedServices.count
        if edited > 0 { add("\(edited) edited", .accent) }
        let problems = problems.count
        if problems > 0 { add(ItemCount.text(problems, "problem"), .warning) }
        if size.width >= 100 { for fact in features.all.compactMap({ $0.fact(self) }) { add(fact, .muted) } }
        return facts
    }
}
