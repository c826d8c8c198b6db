internal import Model

/// Asking for permission before anything of a workspace runs, is read or is sent (`trust.md` 3).
extension AppState {
    /// The choices of the question.
    enum PermissionChoice: Hashable, Sendable {
        /// Permit it for this folder and this list, in later sessions too.
        case allow
        /// Permit it until the program ends.
        case onlyNow
        /// Send nothing.
        case refuse
    }

    /// The effects that may be carried out now; the others wait for the answer to a question, which opens here.
    mutating func permitted(_ effects: [Effect]) -> [Effect] {
        guard !permission.scan.all.isEmpty else { return effects }
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
            // Closing the question, or opening something else in its place, permits nothing.
            carriedOut += decide(.refuse)
        }
        return carriedOut
    }

    private var isAskingForPermission: Bool {
        guard case .list(let list) = popup else { return false }
        return list.items.contains {
            if case .permission = $0.choice { return true }
            return false
        }
    }

    private mutating func askForPermission() {
        let all = permission.scan.all
        let new = all.subtracting(permission.permitted)
        let isFirst = permission.permitted.isDisjoint(with: all)
        let sentences = CapabilityList(all.intersection(isFirst ? all : new)).sentences
        var items: [ListPopup.Item] = [
            .init(label: "No", detail: "send nothing", choice: .permission(.refuse)),
            .init(label: "Only now", detail: "until Sortie ends", choice: .permission(.onlyNow)),
            .init(label: "Allow", detail: "remember it for this folder and this list", choice: .permission(.allow)),
            .init(label: ""),
            .init(label: isFirst ? "The files of \(workspace.name) ask to:" : "Since you permitted it, \(workspace.name) asks to:"),
        ]
        items += sentences.map { .init(label: "  \($0)") }
        show(ListPopup(title: "May this workspace use your machine?", items: items))
    }

    /// Does what the user decided about the effects that wait.
    mutating func decide(_ choice: PermissionChoice) -> [Effect] {
        let effects = permission.withheld
        permission.withheld = []
        let missing = permission.scan.all.subtracting(permission.permitted)
        switch choice {
        case .allow, .onlyNow:
            permission.permitted.formUnion(missing)
            return [.permit(missing, isForGood: choice == .allow)] + effects
        case .refuse:
            let problem = Problem(
                SourceLocation(file: "workspace.yaml"),
                "not sent: \(workspace.name) has no permission to do this on your machine; send again and choose Allow, or run sortie trust --list")
            return effects.flatMap { $0.refused(problem) }.flatMap { update($0) }
        }
    }

    /// Permits what the user typed into an endpoint that is in a file now; what the file had before is not touched.
    mutating func permitTyped(_ endpoint: Endpoint, before: CapabilityScan) -> [Effect] {
        let typed = permission.scan.needed(by: endpoint, environment: environment).subtracting(before.all).subtracting(permission.permitted)
        guard !typed.isEmpty else { return [] }
        permission.permitted.formUnion(typed)
        return [.permit(typed, isForGood: true)]
    }
}
