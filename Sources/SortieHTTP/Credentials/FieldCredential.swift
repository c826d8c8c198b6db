/// Credentials of several texts, which may contain `{{templates}}`; an empty text is not sent.
package protocol FieldCredential: Hashable, Sendable {
    associatedtype Field: CredentialField

    /// Credentials without texts.
    static var empty: Self { get }

    /// The text of a field; a text that is not among the words of the field changes nothing.
    subscript(field field: Field) -> String { get set }

    /// Whether credentials with these values use a field.
    func uses(_ field: Field) -> Bool

    /// The fields that are needed and empty.
    var missingFields: [Field] { get }

    /// What prevents the use of these texts, which contain no templates; nil for nothing.
    var problem: String? { get }

    /// What prevents the use of the text of a field, which contains no template and is not empty, whatever the other texts are; nil for nothing.
    func problem(of field: Field) -> String?
}

extension FieldCredential {
    package func uses(_ field: Field) -> Bool { true }

    package func problem(of field: Field) -> String? { nil }

    /// The texts that are not empty; not the words.
    package var texts: [String] { Field.allCases.filter { $0.words == nil }.map { self[field: $0] }.filter { !$0.isEmpty } }

    /// Returns the credentials with every text transformed that is not empty; not the words.
    package func mapping<Failure: Error>(_ transform: (Field, String) throws(Failure) -> String) throws(Failure) -> Self {
        var result = self
        for field in Field.allCases where field.words == nil && !self[field: field].isEmpty {
            result[field: field] = try transform(field, self[field: field])
        }
        return result
    }
}
