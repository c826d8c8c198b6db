/// The text whose MD5 is the signature of the legacy scheme, byte for byte (S0.30).
///
/// `METHOD + percentEncodedPath + "?" + items + secret + Authorization`, items joined with `&` and decoded. GET, HEAD and DELETE take the
/// query in the order of the URL; other methods take query and body together, sorted. The query is signed whatever the body is, which the
/// original forgot. A `sign` that is already in the query is left out, so that a retry can be signed again.
public struct SignatureBase: Hashable, Sendable {
    /// What the body adds to the signature.
    public enum Body: Hashable, Sendable {
        /// Nothing: no body, or one that is not signed.
        case unsigned
        /// Its fields, decoded.
        case form([ParameterPair])
        /// Its text, as `jsonBody=…`.
        case json(String)
    }

    /// The text in its pieces.
    public let signed: SignedText
    /// The text to be hashed; it holds the secret.
    public var text: String { signed.text }

    /// The base of a request.
    ///
    /// - Parameter authorization: the value of the Authorization header, which therefore must be set before.
    public init(method: HTTPMethod, url: HTTPURL, body: Body = .unsigned, secret: String, authorization: String?) {
        var pairs = ParameterPair.pairs(of: url.query ?? "").filter { $0.name != FullRequestOrder.signName }
        let signsBody = !Self.signsQueryOnly(method)
        if signsBody {
            switch body {
            case .unsigned: break
            case .form(let fields): pairs += fields
            case .json(let text): pairs.append(ParameterPair(ParameterPair.jsonBodyName, text))
            }
        }
        if signsBody { pairs.sort { ParameterPair.precedes($0.text, $1.text) } }
        let items = pairs.map { [SignedText.Piece.parameter($0)] }.joined(separator: [.plain("&")])
        signed = SignedText([.plain("\(method.rawValue)\(url.path)?")] + items + [.secret(secret), .secret(authorization ?? "")])
    }

    /// The base of a request as it will be sent; its body is signed when its media type says form or JSON.
    public init(method: HTTPMethod, url: HTTPURL, requestBody: RequestBody, secret: String, authorization: String?) {
        self.init(method: method, url: url, body: Body(requestBody), secret: secret, authorization: authorization)
    }

    private static func signsQueryOnly(_ method: HTTPMethod) -> Bool {
        method == .get || method == .head || method == .delete
    }
}

extension SignatureBase.Body {
    /// What a body adds; files and multipart bodies are not signed.
    public init(_ body: RequestBody) {
        guard case .bytes(let bytes, let contentType) = body, !bytes.isEmpty, let type = contentType.flatMap(MediaType.init) else {
            self = .unsigned
            return
        }
        let text = String(decoding: bytes, as: UTF8.self)
        if type.isJSON {
            self = .json(text)
        } else if type.essence == "application/x-www-form-urlencoded" {
            self = .form(ParameterPair.pairs(of: text, plusIsSpace: true))
        } else {
            self = .unsigned
        }
    }
}

extension SignatureBase: CustomStringConvertible {
    /// The masked text, so that a careless print tells no secret.
    public var description: String { signed.description }
}
