internal import SortieBase
internal import SortieTerminal
internal import WorkspaceModel

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
        let isFirst = permission.permitted.isDisjoint(with: all)
        // Without the frames, the margins, the mark of a row and the indentation of a sentence.
        let width = max(20, min(size.width, 110) - 14)
        let lines = CapabilityList(all.subtracting(permission.permitted), shortens: true).sentences.flatMap { sentence in
            let wrapped = WrappedText.lines(VisibleText.of(sentence), width: width)
            return wrapped.enumerated().map { ($0 == 0 ? "- " : "  ") + $1 }
        }
        let heading =
            isFirst
            ? "The files of \(workspace.name) request permission to:" : "The files of \(workspace.name) have changed since and request permission to:"
        var items: [ListPopup.Item] = [
            .init(label: "No", detail: "send nothing", isCurrent: true) { $0.decide(.refuse) },
            .init(label: "Only now", detail: "until Sortie ends") { $0.decide(.onlyNow) },
            .init(label: "Allow", detail: "for this folder and this list") { $0.decide(.allow) },
            .init(label: ""),
            .init(label: heading + (lines.count + 10 > size.height ? "  (↓ shows the rest)" : "")),
        ]
        // The rows are selectable so that a long list can be scrolled; choosing one does nothing.
        items += lines.map { .plain(label: $0) }
        permission.prompt = show(ListPopup(title: "May this workspace use your machine?", items: items, guideTopic: "security"))
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
                SourceLocation(file: "workspace.yaml"),
                "you did not permit \(workspace.name) to use your machine; send again to change that")
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

    /// Permits the capabilities that the user typed into an endpoint that is now saved in a file.
    ///
    /// Capabilities that the files needed before are not affected.
    mutating func permitTyped(_ endpoint: Endpoint) -> [Effect] {
        let before = permission.scan
        permission.use(workspace, folders: folders)
        let environments: [String?] = workspace.environments.isEmpty ? [nil] : workspace.environments.map(\.name)
        let needed = environments.reduce(into: Set<Capability>()) { $0.formUnion(permission.scan.needed(by: endpoint, environment: $1)) }
        let typed = needed.subtracting(before.all).subtracting(permission.permitted)
        guard !typed.isEmpty else { return [] }
        permission.permitted.formUnion(typed)
        return [.permit(typed, isForGood: true)]
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
