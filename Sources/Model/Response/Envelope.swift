/// The wrapper that a service puts around its results: `{"code": 200, "description": "…", "result": …}` (S2.28, S0.16).
public struct Envelope: Hashable, Sendable {
    /// Where the code is.
    public var codePath: JSONPath
    /// The codes that mean success; a number and the same number in quotes are one code.
    public var success: [JSONValue]
    /// Where the server's message is, if it sends one.
    public var messagePath: JSONPath?
    /// Where the result is; nil when it is the whole answer.
    public var resultPath: JSONPath?
    /// This endpoint's own messages by code; they win over the server's (S0.16).
    public var messages: [String: String]

    /// An envelope.
    public init(
        codePath: JSONPath, success: [JSONValue], messagePath: JSONPath? = nil, resultPath: JSONPath? = nil, messages: [String: String] = [:]
    ) {
        self.codePath = codePath
        self.success = success
        self.messagePath = messagePath
        self.resultPath = resultPath
        self.messages = messages
    }

    /// As the first source document has it: `result_code` is `success`, the result is `data` (S0.13, S0.27).
    public static let legacy = Envelope(
        codePath: JSONPath(steps: [.init(.name("result_code"))]), success: [.string("success")],
        messagePath: JSONPath(steps: [.init(.name("message"))]), resultPath: JSONPath(steps: [.init(.name("data"))]))

    /// The result inside an answer, or why the server refused.
    ///
    /// A successful answer without a result gives null; an answer without a code is a failure, because it is not this envelope.
    public func apply(to answer: JSONValue) -> Result<JSONValue, BusinessFailure> {
        guard let code = codePath.first(in: answer) else {
            let place = "the answer has no code at \(codePath), where this service's envelope keeps it"
            let error = NetworkError.wrongFormat(at: place, received: String(answer.text.prefix(1000)))
            return .failure(BusinessFailure(error: error, code: nil, payload: answer))
        }
        let text = Self.codeText(code)
        var payload: JSONValue? = answer
        if let resultPath {
            do throws(JSONPathLimit) { payload = try resultPath.result(in: answer) } catch {
                let error = NetworkError.wrongFormat(at: "\(error)", received: String(answer.text.prefix(1000)))
                return .failure(BusinessFailure(error: error, code: text, payload: answer))
            }
        }
        if success.contains(where: { Self.codeText($0) == text }) { return .success(payload ?? .null) }
        let message = message(of: text, in: answer)
        var error = NetworkError(.business, message, underlying: "code \(text) at \(codePath)")
        error.businessCode = text
        return .failure(BusinessFailure(error: error, code: text, payload: payload))
    }

    /// What a code means to a person: this endpoint's map, the server's message, the common map, the code itself (S0.16).
    private func message(of code: String, in answer: JSONValue) -> String {
        if let message = messages[code] { return message }
        if case .string(let message)? = messagePath?.first(in: answer), !message.isEmpty { return message }
        return Self.commonMessages[code] ?? code
    }

    /// The messages that every service shares (S0.17).
    public static let commonMessages = [
        "success": "成功", "resource_not_found": "请求资源不存在", "auth_failed": "你的登录信息已过期,请重新登录", "request_forbidden": "请求被禁止",
        "invalid_param": "请求参数非法", "internal_error": "服务器内部错误", "blacklisted_input": "内容非法, 有违禁词~",
    ]

    /// A code without its quotes.
    private static func codeText(_ code: JSONValue) -> String {
        if case .string(let text) = code { return text }
        return code.text
    }
}

/// An answer that the business rules refused, with what the server said (S0.17, S1.31).
public struct BusinessFailure: Error, Hashable, Sendable {
    /// The failure as every other is told: class `business`, the message for the person.
    public var error: NetworkError
    /// The server's code; nil when the answer had none.
    public var code: String?
    /// What stood where the result would be, or the whole answer when it is no envelope.
    public var payload: JSONValue?

    /// A failure.
    public init(error: NetworkError, code: String?, payload: JSONValue?) {
        self.error = error
        self.code = code
        self.payload = payload
    }

    /// Whether the person must log in again, when the request carried a bearer token (S0.27).
    public var meansLoginExpired: Bool { error.meansLoginExpired }
}

extension BusinessFailure: CustomStringConvertible {
    /// The text as a person reads it.
    public var description: String { error.description }
}
