/// The unsaved edits of a workspace, which are stored for the next session.
package struct UnsavedEdits: Hashable, Sendable {
    /// The endpoints with unsaved changes.
    package var endpoints: [EndpointDraft]
    /// The services with unsaved changes.
    package var services: [ServiceDraft]

    /// Creates the edits.
    package init(endpoints: [EndpointDraft] = [], services: [ServiceDraft] = []) {
        (self.endpoints, self.services) = (endpoints, services)
    }

    /// Whether nothing is unsaved.
    package var isEmpty: Bool { endpoints.isEmpty && services.isEmpty }

    /// Describes what is unsaved, such as “2 endpoints and one service”.
    package var text: String {
        func count(_ number: Int, _ noun: String) -> [String] { number == 0 ? [] : [number == 1 ? "one \(noun)" : "\(number) \(noun)s"] }
        return (count(endpoints.count, "endpoint") + count(services.count, "service")).joined(separator: " and ")
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
