/// The unsaved edits of a workspace, which are stored for the next session.
package struct UnsavedEdits: Hashable, Sendable {
    /// The endpoints with unsaved changes.
    package var endpoints: [EndpointDraft]
    /// The services with unsaved changes.
    package var services: [ServiceDraft]
    /// The open forms, the one that is shown last.
    package var forms: [FormDraft]

    /// Creates the edits.
    package init(endpoints: [EndpointDraft] = [], services: [ServiceDraft] = [], forms: [FormDraft] = []) {
        (self.endpoints, self.services, self.forms) = (endpoints, services, forms)
    }

    /// Whether nothing is unsaved.
    package var isEmpty: Bool { endpoints.isEmpty && services.isEmpty && forms.isEmpty }

    /// Describes what is unsaved, such as “2 endpoints and one service”.
    package var text: String {
        func count(_ number: Int, _ noun: String) -> [String] { number == 0 ? [] : [number == 1 ? "one \(noun)" : "\(number) \(noun)s"] }
        let counts = [(endpoints.count, "endpoint"), (services.count, "service"), (forms.count, "form")]
        return counts.flatMap(count).joined(separator: " and ")
    }
}

/// Edits of the same endpoint or service in several programs, the newest last.
extension UnsavedEdits {
    /// Keeps the newest edits of each endpoint and service.
    ///
    /// Edits of an endpoint that do not overlap become one. Of others the older ones become an endpoint without a file beside it, so that both can be
    /// seen, sent and saved.
    ///
    /// - Parameter isTaken: Whether a target has a file.
    /// - Returns: The names of the endpoints that were added, by the targets of those whose edits they have, and the older edits of services.
    package mutating func separate(isTaken: (String) -> Bool) -> (copies: [(target: String, copy: String)], services: [ServiceDraft]) {
        var newest: [EndpointDraft] = []
        var older: [EndpointDraft] = []
        for draft in endpoints.reversed() {
            guard let index = newest.firstIndex(where: { $0.edited.id == draft.edited.id }) else {
                newest.append(draft)
                continue
            }
            if let both = newest[index].merged(withOlder: draft) { newest[index].edited = both } else { older.append(draft) }
        }
        endpoints = newest.reversed()
        var copies: [(target: String, copy: String)] = []
        for draft in older.reversed() {
            let target = draft.edited.target
            var copy = draft.edited
            let targets = (2...).lazy.map { "\(target)-\($0)" }
            copy.target = targets.first { name in !isTaken(name) && !endpoints.contains { $0.edited.target == name } } ?? target
            copy.name += " (another window)"
            copy.location = nil
            endpoints.append(EndpointDraft(original: Endpoint(target: copy.target, name: copy.name, path: ""), edited: copy))
            copies.append((target, copy.target))
        }
        let last = Dictionary(services.map { ($0.edited.folder, $0) }) { $1 }
        let others = services.filter { last[$0.edited.folder] != $0 }
        services.removeAll { others.contains($0) }
        return (copies, others)
    }
}

extension EndpointDraft {
    /// The endpoint with these and older edits; nil where they overlap.
    fileprivate func merged(withOlder other: EndpointDraft) -> Endpoint? {
        if edited == other.edited { return edited }
        guard let original, original == other.original else { return nil }
        let merge = EndpointMerge(base: original, ours: edited, theirs: other.edited)
        return merge.conflicts.isEmpty ? merge.endpoint : nil
    }
}

/// A service with unsaved changes, without its endpoints and the location of its file.
package struct ServiceDraft: Hashable, Sendable {
    /// The service in its file when the changes began; nil where its stored form cannot be read.
    package var original: Service?
    /// The service with the changes.
    package var edited: Service
    /// The typed texts that cannot be read as values, by the names of their keys from the root of the file.
    package var unreadable: [[String]: String]

    /// Creates a draft.
    package init(original: Service?, edited: Service, unreadable: [[String]: String] = [:]) {
        (self.original, self.edited, self.unreadable) = (original, edited, unreadable)
        self.original?.endpoints = []
        self.original?.location = nil
        self.edited.endpoints = []
        self.edited.location = nil
    }
}

/// An open form with what was typed, without secrets.
package struct FormDraft: Hashable, Sendable, Codable {
    /// What the form creates or changes, such as `environment`.
    package var kind: String
    /// The names of what the form changes or is about; empty for a form that needs none.
    package var subject: [String]
    /// The texts and the chosen words, by the labels of their rows.
    package var values: [String: String]

    /// Creates a draft.
    package init(kind: String, subject: [String] = [], values: [String: String] = [:]) {
        (self.kind, self.subject, self.values) = (kind, subject, values)
    }
}
