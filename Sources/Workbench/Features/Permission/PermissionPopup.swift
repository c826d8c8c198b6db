internal import SortieBase
internal import SortieTerminal
internal import WorkspaceModel

/// The question whether a workspace may use the machine: the choices, and below them what its files request, wrapped and whole.
///
/// The list is scrolled while the choices stay visible, so that no part of it is permitted without a way to read it.
struct PermissionPopup: Popup {
    private static let title = "May this workspace use your machine?"

    private let heading: String
    /// What the files request, without characters that a terminal would interpret.
    private let sentences: [String]
    private let choices: [(label: String, detail: String, choice: PermissionChoice)]
    /// The lines of the sentences for the width when the popup was opened, because a list may have thousands of lines.
    private let prepared: (width: Int, lines: [String])
    private var selected = 0
    /// The first visible line of the list.
    private var top = 0

    /// - Parameter area: the area for popups.
    init(_ list: CapabilityList, heading: String, in area: Rect) {
        self.heading = heading
        // A line break in a command is marked, so that it does not look like one that wrapping added.
        sentences = list.sentences.map { VisibleText.of($0).replacing("\n", with: "␊\n") }
        choices = [
            ("No", "send nothing", .refuse), ("Only now", "until Sortie ends", .onlyNow), ("Allow", "for this folder and this list", .allow),
        ]
        let width = Self.width(in: area) - 4
        prepared = (width, Self.lines(of: sentences, width: width))
    }

    var contexts: [Context] { [.popup, .menu] }
    var guideAddress: String? { "security#workspace-trust" }

    // MARK: Layout

    /// The parts of the popup for a size of the screen.
    private struct Layout {
        var frame: Rect
        var choices: Rect
        var heading: Rect
        var list: Rect
        var headingLines: [String]
        var lines: [String]
    }

    private static func width(in area: Rect) -> Int { min(max(20, area.width - (area.width < 60 ? 0 : 4)), 110) }

    private static func lines(of sentences: [String], width: Int) -> [String] {
        sentences.flatMap { sentence in
            WrappedText.lines(sentence, width: max(1, width - 2)).enumerated().map { ($0 == 0 ? "- " : "  ") + $1 }
        }
    }

    private func layout(in area: Rect) -> Layout {
        let width = Self.width(in: area)
        let lines = width - 4 == prepared.width ? prepared.lines : Self.lines(of: sentences, width: width - 4)
        let headingLines = WrappedText.lines(heading, width: width - 4)
        let room = area.height < 14 ? area.height : area.height - 2
        let height = min(choices.count + 1 + headingLines.count + lines.count + 2, room)
        let frame = area.centered(Size(width: width, height: height))
        let (top, rest) = frame.inset(columns: 2, rows: 1).split(topHeight: choices.count)
        // The list needs the rows of a small screen more than an empty line does.
        let (above, list) = rest.split(topHeight: min(headingLines.count + 1, max(0, rest.height - 2)))
        return Layout(
            frame: frame, choices: top, heading: above.height > headingLines.count ? above.split(topHeight: 1).bottom : above, list: list,
            headingLines: headingLines, lines: lines)
    }

    // MARK: Popup

    mutating func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        switch command {
        case .move(.up): selected = max(0, selected - 1)
        case .move(.down): selected = min(choices.count - 1, selected + 1)
        case .move(let movement): scroll(movement, in: state.popupArea)
        case .choose:
            state.popups.pop()
            return state.decide(choices[selected].choice)
        case .close: state.popups.pop()
        default: return nil
        }
        return []
    }

    private mutating func scroll(_ movement: Movement, in area: Rect) {
        let layout = layout(in: area)
        let lastTop = max(0, layout.lines.count - max(1, layout.list.height))
        top = movement.target(from: min(top, lastTop), count: lastTop + 1, page: layout.list.height)
    }

    mutating func use(_ mouse: Mouse, _ state: inout AppState) -> [Effect] {
        switch mouse.kind {
        case .scrollUp, .scrollDown:
            for _ in 0..<3 { scroll(mouse.kind == .scrollUp ? .up : .down, in: state.popupArea) }
        case .press:
            let layout = layout(in: state.popupArea)
            let index = mouse.position.row - layout.choices.row
            guard layout.choices.contains(mouse.position), choices.indices.contains(index) else { break }
            selected = index
            return perform(.choose, &state) ?? []
        case .release, .drag, .doubleClick: break
        }
        return []
    }

    func area(_ state: AppState) -> Rect { layout(in: state.popupArea).frame }

    func draw(on canvas: inout Canvas, _ state: AppState) {
        let layout = layout(in: state.popupArea)
        _ = canvas.popup(layout.frame, title: [Span(Self.title, .titleFocused)], trailing: state.closingHint)
        for (index, choice) in choices.enumerated().prefix(layout.choices.height) {
            let line = Rect(column: layout.choices.column, row: layout.choices.row + index, width: layout.choices.width, height: 1)
            canvas.write(
                [Span(index == 0 ? "• " : "  ", .accent), Span(choice.label, .text), Span("  " + choice.detail, .muted)], at: line.origin,
                width: line.width)
            if index == selected { canvas.select(row: line.row, in: line, isFocused: true) }
        }
        let (heading, list) = (layout.heading, layout.list)
        canvas.write(lines: layout.headingLines.prefix(max(0, heading.height)), at: heading.origin, style: .title, width: heading.width)
        let first = Window.limited(top, count: layout.lines.count, height: list.height)
        canvas.write(lines: layout.lines[first...].prefix(max(0, list.height)), at: list.origin, style: .text, width: list.width)
        if layout.lines.count > layout.list.height { drawPosition(first, layout, on: &canvas, state) }
    }

    /// The visible lines and the keys that scroll, on the border below the list.
    private func drawPosition(_ first: Int, _ layout: Layout, on canvas: inout Canvas, _ state: AppState) {
        let keys = "\(state.key(.move(.pageDown), in: .popup)) \(state.key(.move(.pageUp), in: .popup))"
        let last = min(layout.lines.count, first + layout.list.height)
        let text = " lines \(first + 1)-\(last) of \(layout.lines.count); \(keys) scroll "
        let frame = layout.frame
        let column = max(frame.column + 1, frame.endColumn - 2 - CellWidth.width(of: text))
        canvas.write(
            text, at: Point(column: column, row: frame.endRow - 1), style: .warning, width: max(0, frame.endColumn - 1 - column))
    }
}

/// Asks for permission before a workspace runs, reads or sends anything on this machine (`Security.md` 3).
extension AppState {
    /// Returns the effects that are permitted.
    ///
    /// Withholds the others, and opens the permission prompt for them.
    mutating func permitted(_ effects: [Effect]) -> [Effect] {
        guard !permission.scan.all.isEmpty || !permission.withheld.isEmpty else { return effects }
        var carriedOut: [Effect] = []
        var isWithheld = false
        for effect in effects {
            if permission.missing(for: effect, in: workspace).isEmpty {
                carriedOut.append(effect)
            } else {
                permission.withheld.append(effect)
                isWithheld = true
            }
        }
        if isWithheld {
            askForPermission()
        } else if !permission.withheld.isEmpty, !isAskingForPermission {
            // Closing the prompt, or opening another popup in its place, counts as a refusal.
            carriedOut += decide(.refuse)
        }
        return carriedOut
    }

    private var isAskingForPermission: Bool { permission.prompt.map { popups.isOpen($0) } ?? false }

    private mutating func askForPermission() {
        let all = permission.scan.all
        // The program of the only hook may have changed, so that nothing that was permitted is in the files.
        let isFirst = permission.permitted.isEmpty
        let heading =
            isFirst
            ? "The files of \(workspace.name) request permission to:" : "The files of \(workspace.name) have changed since and request permission to:"
        let list = CapabilityList(all.subtracting(permission.permitted))
        focusedPane.stopEditing(&self)
        stopTyping()
        permission.prompt = popups.show(PermissionPopup(list, heading: heading, in: popupArea))
    }

    /// Applies the user's choice to the withheld effects.
    mutating func decide(_ choice: PermissionChoice) -> [Effect] {
        let effects = permission.withheld
        permission.withheld = []
        let missing = permission.scan.all.subtracting(permission.permitted)
        switch choice {
        case .allow, .onlyNow:
            permission.permitted.formUnion(missing)
            return [.permit(missing, isForGood: choice == .allow)] + effects
        case .refuse:
            let problem = Diagnostic(
                .nowhere, "you did not permit \(workspace.name) to use your machine; send again and choose Allow to change that")
            toast = Toast("Nothing was sent, because you did not permit it", .warning)
            return effects.flatMap { $0.refused(problem) }.flatMap { update($0) }
        }
    }

    /// Returns the withheld effects for another check after the files changed, because the open prompt may list outdated
    /// capabilities.
    mutating func askAgain() -> [Effect] {
        let effects = permission.withheld
        guard !effects.isEmpty else { return [] }
        permission.withheld = []
        popups.removeAll()
        return effects
    }

    /// Returns an effect for another check, because programs of hooks had changed when it was to be performed; what was cancelled meanwhile ends.
    mutating func again(_ effect: Effect) -> [Effect] {
        func isWanted(_ id: CallID) -> Bool { calls.accepts(id) && calls[id]?.call.isCancelling == false }
        var effects = [effect]
        var ended: [CallID] = []
        switch effect {
        case .send(let id, _, _):
            if !isWanted(id) { (effects, ended) = ([], [id]) }
        case .download(let id, _):
            // A cancelled one starts and ends as one that was cancelled while it started.
            if !calls.accepts(id) { effects = [] }
        case .sendParked(let requests):
            let wanted = requests.filter { isWanted($0.id) }
            effects = wanted.isEmpty ? [] : [.sendParked(wanted)]
            ended = requests.map(\.id).filter { !isWanted($0) }
        case .replay(let ids, let numbers, let pace):
            let wanted = zip(ids, numbers).filter { isWanted($0.0) }
            effects = wanted.isEmpty ? [] : [.replay(wanted.map { $0.0 }, wanted.map { $0.1 }, pace: pace)]
            ended = ids.filter { !isWanted($0) }
        case .work(let started):
            if jobs[started.id] == nil { effects = [] }
        default: break
        }
        let cancelled = Diagnostic(.nowhere, "cancelled before it was sent")
        return effects + ended.flatMap { update(.callFailedToStart($0, cancelled)) }
    }

    /// Permits the capabilities that the user typed into an endpoint that is now saved in a file.
    ///
    /// Capabilities that the files needed before are not affected.
    mutating func permitTyped(_ endpoint: Endpoint) -> [Effect] {
        permit(permission.scan.added(by: endpoint, in: workspace))
    }

    /// Permits what the user typed or chose now, also in later sessions.
    private mutating func permit(_ typed: Set<Capability>) -> [Effect] {
        let missing = typed.subtracting(permission.permitted)
        guard !missing.isEmpty else { return [] }
        permission.permitted.formUnion(missing)
        return [.permit(missing, isForGood: true)]
    }
}

extension AppState {
    /// Permits what the files need because of settings of a service that the user typed or chose.
    mutating func permitTyped(_ service: Service) -> [Effect] {
        guard let index = workspace.services.firstIndex(where: { $0.folder == service.folder }) else { return [] }
        let endpoints = workspace.services[index].endpoints
        workspace.services[index] = service
        workspace.services[index].endpoints = endpoints
        return permit(permission.scan.added(by: workspace.services[index], in: workspace))
    }

    /// Permits reading the secrets that the user declared, except by commands, which always need permission.
    ///
    /// The receivers of the values in the files are not permitted, because the user did not type them now.
    ///
    /// - Parameter loaded: The workspace that was read after the change, which is used only for the names under which the values are stored.
    mutating func permitDeclared(_ declarations: SecretDeclarations, stored loaded: Workspace) -> [Effect] {
        var names: [String: String] = [:]
        for secret in declarations.secrets {
            if case .stored(let name) = secret.place, case .stored(let stored)? = loaded.secrets[secret.name] { names[name] = stored }
        }
        workspace = declarations.storing(names).applied(to: workspace)
        let sources = declarations.secrets.compactMap { workspace.secrets[$0.name] }
        let read = Set(sources.map { Capability($0, digests: workspace.programDigests) }).filter { [.storedSecret, .environment].contains($0.kind) }
        return permit(read.subtracting(permission.scan.all))
    }
}

/// The choices of the permission prompt.
enum PermissionChoice: Hashable, Sendable {
    /// Permits it for this folder and this list of capabilities, in later sessions too.
    case allow
    /// Permits it until the program ends.
    case onlyNow
    /// Sends nothing.
    case refuse
}
