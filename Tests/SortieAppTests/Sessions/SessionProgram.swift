import Glibc
import SortieHTTP
import SortieNetworking
import SortieStorage
import SortieTerminal
import Support
import WorkspaceModel

@testable import SortieApp
@testable import SortieWorkbench

/// A workbench without a screen: `update`, and the effects on files performed by the types of the program.
struct SessionProgram {
    let folder: WorkspaceFolder
    private(set) var state: AppState
    private let mailbox: Mailbox
    private let effects: WorkspaceEffects
    private var drafts: LatestValueWriter<UnsavedEdits>?
    /// What was reported at the start.
    let notices: [String]

    /// A job of no feature, whose result arrives after those of all effects before it.
    private static let barrier = JobID(-1)

    init(_ path: String, stateFolder: String, client: Client) throws {
        folder = WorkspaceFolder(path: path)
        let source = WorkbenchWorkspace(folder: folder, overrides: [:])
        let workspace = try source.load()
        let mailbox = try Mailbox()
        var notices: [String] = []
        let (unsaved, drafts) = DraftWriter.open(of: workspace, stateFolder: stateFolder, mailbox: mailbox, notices: &notices)
        let requests = EndpointRequests(
            workspace, overrides: [:], client: client, permission: try WorkspacePermission(workspace, in: .withoutStreams(), isTrusted: true),
            redaction: LiveRedaction(showsSecrets: false), hide: { _ in })
        effects = WorkspaceEffects(source, requests: requests, jobs: BackgroundJobs(), mailbox: mailbox) { loaded in
            requests.use(loaded)
            return CapabilityScan(loaded)
        }
        (self.mailbox, self.drafts, self.notices) = (mailbox, drafts, notices)
        state = AppState(
            workspace: workspace, environment: nil, size: Size(width: 80, height: 24), unsaved: unsaved.endpoints, services: unsaved.services,
            notices: notices,
            sections: YAMLSections(folders: folder.folders))
        try perform { $0.start(parked: [], forms: unsaved.forms) }
    }

    /// Changes the state, and performs the effects and those of their results.
    mutating func perform(_ work: (inout AppState) -> [Effect]) throws {
        for effect in work(&state) { run(effect) }
        drafts?.keep(state.unsavedEdits)
        try settle()
    }

    mutating func press(_ labels: String...) throws {
        for label in labels { try perform { $0.press(label) } }
    }

    mutating func perform(_ command: Command) throws { try perform { $0.perform(command) } }

    /// Fills the fields of the open form, and accepts it.
    mutating func accept(_ values: [String: String]) throws {
        state.popups.change(Form.self) { form in
            for (index, row) in form.rows.enumerated() {
                guard let value = values[row.label] else { continue }
                form.rows[index].value =
                    switch row.value {
                    case .text: .text(TextField(value))
                    case .choice(let words, _): .choice(words, words.firstIndex(of: value) ?? 0)
                    }
            }
        }
        try press("Enter")
    }

    /// Chooses a row of the open list.
    mutating func choose(_ label: String) throws {
        state.popups.change(ListPopup.self) { list in
            list.filter = nil
            list.selected = list.items.firstIndex { $0.label == label } ?? list.items.count
        }
        try press("Enter")
    }

    /// What the screen says, for the message of a failure.
    var message: String {
        [(state.popup as? Form)?.problem, (state.popup as? ListPopup)?.title, state.toast?.text].compactMap(\.self).joined(separator: " / ")
    }

    /// Waits until the edits are on the disk, and leaves them to the next program.
    mutating func end() -> String? {
        defer { drafts = nil }
        return drafts?.finish()
    }

    // MARK: Effects

    private func run(_ effect: Effect) {
        switch effect {
        case .save(let job, let endpoint, let original): effects.save(job, endpoint, original)
        case .editWorkspace(let job, let edit): effects.perform(job, edit)
        case .compareWithFile(let job, let endpoint, let original): effects.compare(job, endpoint, original)
        case .createEndpoint(let job, let endpoint): effects.create(job, endpoint)
        case .reloadWorkspace: effects.reload()
        default: break
        }
    }

    /// Applies the results of effects until none follows.
    private mutating func settle() throws {
        var isSettled = false
        while !isSettled {
            effects.compare(Self.barrier, Endpoint(target: "", name: "", path: ""), Endpoint(target: "", name: "", path: ""))
            isSettled = true
            var isReached = false
            while !isReached {
                var waited = pollfd(fd: mailbox.descriptor, events: Int16(POLLIN), revents: 0)
                guard poll(&waited, 1, 300_000) > 0 else { throw DeadlineExceeded(what: "the result of an effect", limit: .seconds(300)) }
                let actions = mailbox.take()
                for action in actions {
                    if case .comparedWithFile(Self.barrier, _) = action {
                        isReached = true
                        continue
                    }
                    for effect in state.update(action) {
                        run(effect)
                        isSettled = false
                    }
                }
                if actions.contains(where: \.mayEdit) { drafts?.keep(state.unsavedEdits) }
            }
        }
    }
}

extension AppState {
    /// Presses a key by its label.
    fileprivate mutating func press(_ label: String) -> [Effect] {
        guard let key = Key(label: label) else { preconditionFailure("there is no key \(label)") }
        return update(.input(.key(key)))
    }
}
