/// A signed text in pieces with masking rules, for the log and a dry run.
package struct SignedText: Hashable, Sendable {
    /// A part of the text.
    package enum Piece: Hashable, Sendable {
        /// Text without secrets.
        case plain(String)
        /// A parameter, decoded; the value of `jsonBody` is a JSON body.
        case parameter(ParameterPair)
        /// Items of a query in their sent form.
        case query(String)
        /// A secret, or credentials.
        case secret(String)
    }

    /// The parts in order.
    package var pieces: [Piece]

    /// Creates a text from its parts.
    package init(_ pieces: [Piece]) {
        self.pieces = pieces
    }

    /// The signed text, which contains the secrets.
    package var text: String { masked(by: .none) }

    /// The text with secrets, credentials and secret parameters masked.
    package func masked(by redaction: Redaction = .standard) -> String {
        pieces.map { piece in
            switch piece {
            case .plain(let text): redaction.hidingValues(text)
            case .query(let items): redaction.maskedForm(items)
            case .secret(let secret): redaction.isOff || secret.isEmpty ? secret : HeaderField.mask
            case .parameter(let pair) where pair.name == ParameterPair.jsonBodyName:
                ParameterPair(pair.name, redaction.maskedJSON(pair.value ?? "")).text
            case .parameter(let pair): redaction.masked(pair).text
            }
        }.joined()
    }
}

extension SignedText: CustomStringConvertible {
    /// The masked text, so that printing the value does not reveal secrets.
    package var description: String { masked() }
}

extension SignedText: CustomReflectable {
    /// No children, so that `dump` does not print secrets.
    package var customMirror: Mirror { Mirror(self, children: []) }
}

extension ParameterPair {
    /// The name under which the first scheme signs a JSON body.
    static let jsonBodyName = "jsonBody"
}
