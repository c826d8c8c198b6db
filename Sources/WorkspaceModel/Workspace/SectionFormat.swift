package import SortieBase
package import SortieHTTP

/// The notation of the sections of an endpoint and of the settings of a service: texts in the format of workspace files.
package protocol SectionFormat: Sendable {
    /// The text of a section; empty where the endpoint has none, and the text as it was typed where that cannot be read.
    func text(of section: EndpointSection, in endpoint: Endpoint) -> String

    /// Why a text is not a value of a section; nil for a valid one.
    ///
    /// The location has the line and the column in the text.
    func problem(of text: String, as section: EndpointSection) -> Diagnostic?

    /// Sets a section of an endpoint; an empty text removes it. A text that cannot be read is kept in ``Endpoint/unreadableSections``.
    func set(_ section: EndpointSection, of endpoint: inout Endpoint, to text: String)

    /// The keys that a section may have, in their order.
    func keys(of section: EndpointSection) -> [SectionKey]

    /// The keys of an endpoint's file, in their order.
    var endpointKeys: [SectionKey] { get }

    /// The value of a key of an endpoint's file on one line; nil where the file does not need the key.
    func value(ofKey key: String, in endpoint: Endpoint) -> String?

    /// The settings of a service that are edited as texts, in the order of its file.
    var serviceKeys: [ServiceKey] { get }

    /// The keys that a setting of a service with several lines may have, in their order.
    func keys(of key: ServiceKey) -> [SectionKey]

    /// The texts of the settings that a service has.
    ///
    /// - Parameters:
    ///   - folder: The folder of the workspace.
    ///   - base: The time limits that the service inherits.
    func texts(of service: Service, folder: String, base: Timeouts) -> [ServiceKey: String]

    /// The service with another text of a setting; an empty text removes it.
    ///
    /// - Throws: Why the text is not a value, with the line and the column in it.
    func setting(_ key: ServiceKey, of service: Service, to text: String, in workspace: Workspace) throws(Diagnostic) -> Service

    /// Why the value of a key of a service's file cannot be used; nil where it can.
    func problem(ofKey key: String, in service: Service, of workspace: Workspace) -> Diagnostic?
}

extension SectionFormat {
    /// The first section of an endpoint that cannot be read, and why.
    package func problem(of endpoint: Endpoint) -> Diagnostic? {
        EndpointSection.allCases.lazy.compactMap { section in
            endpoint.unreadableSections[section].flatMap { problem(of: $0, as: section) }
        }.first
    }
}

/// A key of a section, for the help beside the text.
package struct SectionKey: Hashable, Sendable {
    /// The name as it is written.
    package var name: String
    /// The form of the value.
    package var value: String
    /// The meaning.
    package var summary: String

    /// Creates a key.
    package init(_ name: String, _ value: String, _ summary: String) {
        (self.name, self.value, self.summary) = (name, value, summary)
    }
}
