/// A text that is signed, in pieces of which each knows how it is masked: for the log and a dry run.
public struct SignedText: Hashable, Sendable {
    /// A part of the text.
    public enum Piece: Hashable, Sendable {
        /// Text that is no secret.
        case plain(String)
        /// A parameter, decoded; the value of `jsonBody` is a body.
        case parameter(ParameterPair)
        /// Items of a query as they are sent.
        case query(String)
        /// A secret, or credentials.
        case secret(String)
    }

    /// The parts in their order.
    public var pieces: [Piece]

    /// A text of these parts.
    public init(_ pieces: [Piece]) {
        self.pieces = pieces
    }

    /// The text as it is signed; it holds the secrets.
    public var text: String { masked(by: .none) }

    /// The text with secrets, credentials and secret parameters masked.
    public func masked(by redaction: Redaction = .standard) -> String {
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
    /// The masked text, so that a careless print tells no secret.
    public var description: String { masked() }
}

extension SignedText: CustomReflectable {
    /// No children, so that `dump` does not tell the secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension ParameterPair {
    /// The name under which the first scheme signs a JSON body (S0.30).
    static let jsonBodyName = "jsonBody"
}
