package import WorkspaceModel

/// Stores the unsaved edits of a workspace, so that a crash or a closed terminal does not lose them (`CONTRIBUTING.md`, rule 7).
///
/// Programs that have the same workspace open do not share them: what one types and discards does not change what another one typed.
package typealias DraftStore = ProgramState<StoredDraft>

/// An endpoint, a service or a form with unsaved changes.
package enum UnsavedEdit: Hashable, Sendable {
    case endpoint(EndpointDraft)
    case service(ServiceDraft)
    case form(FormDraft)
}

extension UnsavedEdits {
    /// Creates the edits from a list of them.
    package init(_ edits: [UnsavedEdit]) {
        self.init()
        for edit in edits {
            switch edit {
            case .endpoint(let draft): endpoints.append(draft)
            case .service(let draft): services.append(draft)
            case .form(let draft): forms.append(draft)
            }
        }
    }

    /// All edits.
    package var all: [UnsavedEdit] { endpoints.map(UnsavedEdit.endpoint) + services.map(UnsavedEdit.service) + forms.map(UnsavedEdit.form) }
}

/// A draft as it is stored.
package struct StoredDraft: ProgramRecord {
    package static let format = StateFormat(key: "drafts", content: "the unsaved edits", version: 2)
    package static let folder = "drafts"

    /// Adds the edits that are not known; two programs may have edited the same endpoint in different ways, of which the last one is the newest.
    package static func add(_ more: [UnsavedEdit], to found: inout [UnsavedEdit]) {
        found += more.filter { !found.contains($0) }
    }

    /// The endpoint; nil for another draft.
    var edited: StoredEndpoint?
    /// The endpoint in its file when the edits began; absent where that is not known.
    var original: StoredPart<StoredEndpoint>?
    /// The service; nil for another draft.
    var service: StoredService?
    /// The service in its file when the edits began.
    var originalService: StoredPart<StoredService>?
    /// The texts that cannot be read, by their keys with dots between the names.
    var unreadable: [String: String]?
    /// The form; nil for another draft.
    var form: FormDraft?

    package init(_ edit: UnsavedEdit) {
        switch edit {
        case .endpoint(let draft):
            edited = StoredEndpoint(draft.edited)
            original = draft.original.map { StoredPart(StoredEndpoint($0)) }
        case .service(let draft):
            service = StoredService(draft.edited)
            originalService = draft.original.map { StoredPart(StoredService($0)) }
            unreadable = Dictionary(draft.unreadable.map { ($0.key.joined(separator: "."), $0.value) }) { $1 }
        case .form(let draft): form = draft
        }
    }

    package func value(_ problems: inout [String]) -> UnsavedEdit? {
        if let problem = original?.problem ?? originalService?.problem { problems.append("what the file had: \(problem)") }
        if let form { return .form(form) }
        if let service {
            guard let edited = service.service(&problems) else { return nil }
            let unreadable = (unreadable ?? [:]).map { ($0.key.split(separator: ".").map(String.init), $0.value) }
            let original = originalService?.value?.service(&problems)
            return .service(ServiceDraft(original: original, edited: edited, unreadable: Dictionary(unreadable) { $1 }))
        }
        guard let stored = edited else {
            problems.append("the key edited is missing")
            return nil
        }
        guard let edited = stored.endpoint(&problems) else { return nil }
        return .endpoint(EndpointDraft(original: original?.value?.endpoint(&problems), edited: edited))
    }
}
