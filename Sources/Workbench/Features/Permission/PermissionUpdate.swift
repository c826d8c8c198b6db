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
        // The program of the only hook may have changed, so that nothing that was permitted is in the files.
        let isFirst = permission.permitted.isEmpty
        let heading =
            isFirst
            ? "The files of \(workspace.name) request permission to:" : "The files of \(workspace.name) have changed since and request permission to:"
        let list = CapabilityList(all.subtracting(permission.permitted), limit: CapabilityList.questionLimit)
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
        func isWanted(_ id: CallID) -> Bool { calls.accepts(id) && calls[id]?.call.phase != .cancelling }
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
        case .loadPage(let job, _, _), .dryRun(let job, _, _), .graphQLSchema(let job, _, _), .planReplay(let job, _):
            if jobs[job] == nil { effects = [] }
        default: break
        }
        let cancelled = Diagnostic(.nowhere, "cancelled before it was sent")
        return effects + ended.flatMap { update(.callFailedToStart($0, cancelled)) }
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
