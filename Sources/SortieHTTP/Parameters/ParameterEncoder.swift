internal import SortieBase

/// Writes parameters as the text of a query or a form.
///
/// ``ParameterEncoding`` is the standard encoder; a program conforms its own type where a server expects another notation.
public protocol ParameterEncoder: Sendable {
    /// The text of the parameters, percent-encoded; an empty text adds nothing.
    ///
    /// - Throws: Any error; the call ends with it before anything is sent.
    func text(of parameters: [ParameterValue.Member], in place: ParameterPlace) throws -> String
    /// The media type of a form.
    var formType: String { get }
}

/// Where encoded parameters are sent.
public enum ParameterPlace: String, Hashable, Sendable, CaseIterable {
    /// The query of the URL, in which a space is `%20`.
    case query
    /// A body of the type `application/x-www-form-urlencoded`, in which a space is `+`.
    case form
}

extension ParameterEncoder {
    /// `application/x-www-form-urlencoded`.
    public var formType: String { "application/x-www-form-urlencoded" }
}

extension ParameterEncoding: ParameterEncoder {
    /// The pairs of the parameters as text.
    ///
    /// - Throws: The errors of ``query(of:)``.
    public func text(of parameters: [ParameterValue.Member], in place: ParameterPlace) throws -> String {
        switch place {
        case .query: try query(of: parameters)
        case .form: try form(of: parameters)
        }
    }

    /// `application/x-www-form-urlencoded`, with the charset where it is not UTF-8.
    public var formType: String {
        "application/x-www-form-urlencoded" + (charset == .utf8 ? "" : "; charset=\(charset.rawValue)")
    }
}
