internal import SortieBase

/// The wrapper that a service puts around its results: `{"code": 200, "description": "…", "result": …}`.
public struct Envelope: Hashable, Sendable {
    /// The path of the result code.
    public var codePath: JSONPath
    /// The codes that mean success; a number and the same number in quotes are equal.
    public var success: [JSONValue]
    /// The path of the server's message; nil where it sends none.
    public var messagePath: JSONPath?
    /// The path of the result; nil when the whole body is the result.
    public var resultPath: JSONPath?
    /// The endpoint's own messages by code; they take precedence over the server's.
    public var messages: [String: String]

    /// Creates an envelope.
    public init(
        codePath: JSONPath, success: [JSONValue], messagePath: JSONPath? = nil, resultPath: JSONPath? = nil, messages: [String: String] = [:]
    ) {
        (self.codePath, self.success, self.messagePath, self.resultPath, self.messages) = (codePath, success, messagePath, resultPath, messages)
    }

    /// `result_code` is `success`, the result is `data`.
    package static let resultCode = Envelope(
        codePath: JSONPath(steps: [.init(.name("result_code"))]), success: [.string("success")],
        messagePath: JSONPath(steps: [.init(.name("message"))]), resultPath: JSONPath(steps: [.init(.name("data"))]))

    /// The result inside a body, or the failure that the server reported.
    ///
    /// A successful body without a result yields null. A body without a code yields a failure, because it does not have the format of the envelope.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - texts: The language of messages that neither the endpoint nor the server gives.
    package func apply(to body: JSONValue, in texts: UserTexts = .english) -> Result<JSONValue, BusinessFailure> {
        guard let code = codePath.first(in: body) else {
            let place = "the response has no code at \(codePath), which the envelope of this service requires"
            let error = NetworkError.wrongFormat(at: place, received: String(body.text.prefix(1000)), in: texts)
            return .failure(BusinessFailure(error: error, code: nil, payload: body))
        }
        let text = Self.codeText(code)
        var payload: JSONValue? = body
        if let resultPath {
            do throws(JSONPathLimit) { payload = try resultPath.result(in: body) } catch {
                let error = NetworkError.wrongFormat(at: "\(error)", received: String(body.text.prefix(1000)), in: texts)
                return .failure(BusinessFailure(error: error, code: text, payload: body))
            }
        }
        if success.contains(where: { Self.codeText($0) == text }) { return .success(payload ?? .null) }
        let message = message(of: text, in: body, texts)
        var error = NetworkError(.business, message, underlying: "code \(text) at \(codePath)")
        error.businessCode = text
        return .failure(BusinessFailure(error: error, code: text, payload: payload))
    }

    /// The message for a code: from the endpoint's map, the server's message, the common texts, or the code itself.
    private func message(of code: String, in body: JSONValue, _ texts: UserTexts) -> String {
        if let message = messages[code] { return message }
        if case .string(let message)? = messagePath?.first(in: body), !message.isEmpty { return message }
        return texts.codes[code] ?? code
    }

    /// A code without its quotes.
    private static func codeText(_ code: JSONValue) -> String {
        if case .string(let text) = code { return text }
        return code.text
    }
}

/// A response that the business rules rejected, with the server's reason.
package struct BusinessFailure: Error, Hashable, Sendable {
    /// The failure as a network error of the class `business`, with the message for the user.
    package var error: NetworkError
    /// The server's code; nil when the response had none.
    package var code: String?
    /// The value at the result's path, or the whole body when it does not have the format of the envelope.
    package var payload: JSONValue?

    /// Whether the user must sign in again, when the request carried a bearer token.
    package var meansLoginExpired: Bool { error.meansLoginExpired }
}

extension BusinessFailure: CustomStringConvertible {
    /// The message for the user.
    package var description: String { error.description }
}
