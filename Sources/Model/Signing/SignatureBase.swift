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

    /// The text to be hashed; it holds the secret.
    public let text: String
    /// The same text with the secret, credentials and secret parameters masked: for the log.
    public let masked: String

    /// The base of a request.
    ///
    /// - Parameters:
    ///   - authorization: the value of the Authorization header, which therefore must be set before.
    ///   - redaction: says which parameters are masked in ``masked``.
    public init(
        method: HTTPMethod, url: HTTPURL, body: Body = .unsigned, secret: String, authorization: String?, redaction: Redaction = .standard
    ) {
        var pairs = ParameterPair.pairs(of: url.query ?? "").filter { $0.name != FullRequestOrder.signName }
        let signsBody = !Self.signsQueryOnly(method)
        if signsBody {
            switch body {
            case .unsigned: break
            case .form(let fields): pairs += fields
            case .json(let text): pairs.append(ParameterPair("jsonBody", text))
            }
        }
        func items(_ pairs: [ParameterPair]) -> String {
            let texts = pairs.map(\.text)
            return (signsBody ? texts.sorted(by: ParameterPair.precedes) : texts).joined(separator: "&")
        }
        let head = "\(method.rawValue)\(url.path)?"
        text = head + items(pairs) + secret + (authorization ?? "")
        let maskedPairs = pairs.map { pair in
            pair.name == "jsonBody" ? ParameterPair(pair.name, redaction.maskedJSON(pair.value ?? "")) : redaction.masked(pair)
        }
        let tail = (secret.isEmpty ? "" : HeaderField.mask) + (authorization?.isEmpty ?? true ? "" : HeaderField.mask)
        masked = head + items(maskedPairs) + tail
    }

    /// The base of a request as it will be sent; its body is signed when its media type says form or JSON.
    public init(
        method: HTTPMethod, url: HTTPURL, requestBody: RequestBody, secret: String, authorization: String?, redaction: Redaction = .standard
    ) {
        self.init(
            method: method, url: url, body: Body(requestBody), secret: secret, authorization: authorization, redaction: redaction)
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
    public var description: String { masked }
}
