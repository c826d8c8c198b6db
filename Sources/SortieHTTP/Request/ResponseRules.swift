internal import SortieBase

/// The conditions for a response to count as success, besides the service's envelope.
///
/// The fields that are passed to the initializer, or assigned, take precedence over those of the layers below.
public struct ResponseRules: Hashable, Sendable {
    /// The fields, each named like its property.
    package enum Field: UInt8, CaseIterable, Sendable {
        case statuses, contentTypes, format, shape, messages, reform
    }

    /// The statuses that count as success; nil leaves the decision to the service.
    public var statuses: [ClosedRange<Int>]? { didSet { assigned.insert(.statuses) } }
    /// The accepted media types, without parameters; nil accepts any.
    public var contentTypes: [String]? { didSet { assigned.insert(.contentTypes) } }
    /// The format that the body must have, whatever its type is; nil for any.
    public var format: ResponseFormat? { didSet { assigned.insert(.format) } }
    /// The required structure of the JSON body; nil for none.
    public var shape: JSONShape? { didSet { assigned.insert(.shape) } }
    /// Makes the value of the call from the body of a successful response; nil leaves it as it is.
    public var reform: Reform? { didSet { assigned.insert(.reform) } }
    /// Messages for the user by the server's result codes; they take precedence over those of the service and the server.
    public var messages: [String: String] { didSet { assigned.insert(.messages) } }

    /// The media types that the light path of the third source document accepts.
    public static let jsonTypes = ["application/json", "text/json", "text/javascript"]

    /// Creates rules that accept every response; an argument that is not nil assigns its field.
    public init(
        statuses: [ClosedRange<Int>]? = nil, contentTypes: [String]? = nil, format: ResponseFormat? = nil, shape: JSONShape? = nil,
        messages: [String: String]? = nil, reform: Reform? = nil
    ) {
        self.format = format
        self.statuses = statuses
        self.contentTypes = contentTypes
        self.shape = shape
        self.messages = messages ?? [:]
        self.reform = reform
        if statuses != nil { assigned.insert(.statuses) }
        if contentTypes != nil { assigned.insert(.contentTypes) }
        if format != nil { assigned.insert(.format) }
        if shape != nil { assigned.insert(.shape) }
        if messages != nil { assigned.insert(.messages) }
        if reform != nil { assigned.insert(.reform) }
    }

    /// The assigned fields.
    private var assigned = AssignedFields<Field>()

    /// Whether a field was assigned.
    package func assigns(_ field: Field) -> Bool { assigned.contains(field) }

    /// These rules with the assigned fields of the layer above.
    package func overlaid(with upper: Self) -> Self {
        var result = upper
        if !upper.assigned.contains(.statuses), assigned.contains(.statuses) { result.statuses = statuses }
        if !upper.assigned.contains(.contentTypes), assigned.contains(.contentTypes) { result.contentTypes = contentTypes }
        if !upper.assigned.contains(.format), assigned.contains(.format) { result.format = format }
        if !upper.assigned.contains(.shape), assigned.contains(.shape) { result.shape = shape }
        if !upper.assigned.contains(.messages), assigned.contains(.messages) { result.messages = messages }
        if !upper.assigned.contains(.reform), assigned.contains(.reform) { result.reform = reform }
        return result
    }

    /// Whether a status is accepted; nil where the rules leave the decision to the service.
    public func accepts(status: Int) -> Bool? {
        statuses.map { $0.contains { $0.contains(status) } }
    }

    /// Why a `Content-Type` is rejected; nil when it is accepted.
    public func problem(ofContentType contentType: String?) -> String? {
        guard let contentTypes else { return nil }
        let essence = contentType.flatMap(MediaType.init)?.essence
        guard essence.map(contentTypes.contains) != true else { return nil }
        return "the body is \(essence ?? "of no type"), not \(contentTypes.joined(separator: " or "))"
    }
}
