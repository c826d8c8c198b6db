/// The text whose MD5 is the signature of the scheme `legacy`, byte for byte.
///
/// `METHOD + percentEncodedPath + "?" + items + secret + Authorization`, with items decoded and joined with `&`. GET, HEAD and DELETE use the
/// query in the order of the URL; other methods use query and body together, sorted. The query is signed for every kind of body, which the
/// original omitted. A `sign` in the query is left out, so that a retry can be signed again.
package struct SignatureBase: Hashable, Sendable {
    /// The part of the body that is signed.
    package enum Body: Hashable, Sendable {
        /// Nothing: there is no body, or it is not signed.
        case unsigned
        /// The fields of a form, decoded.
        case form([ParameterPair])
        /// JSON text, as `jsonBody=…`.
        case json(String)
    }

    /// The text in pieces.
    package let signed: SignedText
    /// The text to hash, which contains the secret.
    package var text: String { signed.text }

    /// Creates the text for a request.
    ///
    /// - Parameter authorization: The value of the Authorization field, which must be set before.
    package init(method: HTTPMethod, url: HTTPURL, body: Body = .unsigned, secret: String, authorization: String?) {
        var pairs = ParameterPair.pairs(of: url.query ?? "").filter { $0.name != SignedParameterOrder.signName }
        let signsBody = !Self.signsQueryOnly(method)
        if signsBody {
            switch body {
            case .unsigned: break
            case .form(let fields): pairs += fields
            case .json(let text): pairs.append(ParameterPair(ParameterPair.jsonBodyName, text))
            }
        }
        if signsBody { pairs.sort { ParameterPair.precedes($0.text, $1.text) } }
        let items = Array(pairs.map { [SignedText.Piece.parameter($0)] }.joined(separator: [.plain("&")]))
        signed = SignedText([.plain("\(method.rawValue)\(url.path)?")] + items + [.secret(secret), .secret(authorization ?? "")])
    }

    /// Creates the text for a request as it is sent; the body is signed when its media type is that of a form or JSON.
    package init(method: HTTPMethod, url: HTTPURL, requestBody: RequestBody, secret: String, authorization: String?) {
        self.init(method: method, url: url, body: Body(requestBody), secret: secret, authorization: authorization)
    }

    private static func signsQueryOnly(_ method: HTTPMethod) -> Bool {
        method == .get || method == .head || method == .delete
    }
}

extension SignatureBase.Body {
    /// The signed part of a body; files and multipart bodies are not signed.
    package init(_ body: RequestBody) {
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
    /// The masked text, so that printing the value does not reveal secrets.
    package var description: String { signed.description }
}
