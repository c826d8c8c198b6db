import SortieHTTP
import Testing

struct EnvelopeTests {
    private func envelope(_ messages: [String: String] = [:]) throws -> Envelope {
        Envelope(
            codePath: try JSONPath("$.code"), success: [.integer(200), "success"], messagePath: try JSONPath("$.description"),
            resultPath: try JSONPath("$.result"), messages: messages)
    }

    private func failure(_ text: String, _ messages: [String: String] = [:], in texts: UserTexts = .english) throws -> BusinessFailure? {
        guard case .failure(let failure) = try envelope(messages).apply(to: JSONValue(parsing: text), in: texts) else { return nil }
        return failure
    }

    @Test(arguments: [#"{"code": 200, "result": [1]}"#, #"{"code": "200", "result": [1]}"#, #"{"code": "success", "result": [1]}"#])
    func `a success code returns the result (S2.28)`(text: String) throws {
        #expect(try envelope().apply(to: JSONValue(parsing: text)) == .success(.array([.number("1")])))
    }

    @Test func `success without a result gives null, and without a path the complete response`() throws {
        #expect(try envelope().apply(to: ["code": .integer(200)]) == .success(nil))
        let whole = Envelope(codePath: try JSONPath("$.code"), success: [.integer(0)])
        #expect(whole.apply(to: ["code": .integer(0)]) == .success(["code": .integer(0)]))
    }

    @Test func `the endpoint's message comes first (S0.16)`() throws {
        let text = #"{"code": "auth_failed", "description": "server says"}"#
        #expect(try failure(text, ["auth_failed": "own"])?.error.message == "own")
    }

    @Test func `the server's message comes second`() throws {
        #expect(try failure(#"{"code": "auth_failed", "description": "server says"}"#)?.error.message == "server says")
    }

    @Test(arguments: [
        ("resource_not_found", "请求资源不存在"), ("auth_failed", "你的登录信息已过期,请重新登录"), ("request_forbidden", "请求被禁止"),
        ("invalid_param", "请求参数非法"), ("internal_error", "服务器内部错误"), ("blacklisted_input", "内容非法, 有违禁词~"),
    ])
    func `the common message comes third (S0.17)`(code: String, message: String) throws {
        #expect(try failure(#"{"code": "\#(code)", "description": ""}"#, in: .simplifiedChinese)?.error.message == message)
    }

    @Test func `the common messages are English by default`() throws {
        #expect(try failure(#"{"code": "resource_not_found"}"#)?.error.message == "the requested resource does not exist")
    }

    @Test func `the code itself comes last`() throws {
        #expect(try failure(#"{"code": 301}"#)?.error.message == "301")
    }

    @Test func `code and payload are preserved (S0.17, S1.31)`() throws {
        let failure = try #require(try failure(#"{"code": 302, "description": "moved", "result": {"a": 1}}"#))
        #expect(failure.code == "302" && failure.payload == ["a": .number("1")])
        #expect(failure.error.code == .business && failure.error.errorClass == .business)
        #expect(failure.error.underlying == "code 302 at $.code")
    }

    @Test func `a response without a code does not have this envelope (S0.13)`() throws {
        let text = #"{"result": 1}"#
        #expect(try self.failure(text)?.error.message == "the response does not have the agreed format")
        let failure = try #require(try self.failure(text, in: .simplifiedChinese))
        #expect(failure.code == nil && failure.error.message == "返回数据格式错误" && failure.payload == ["result": .number("1")])
        #expect(failure.error.hint?.contains("$.code") == true && failure.error.underlying == #"{"result": 1}"#)
    }

    @Test func `two codes mean an expired login (S0.27)`() throws {
        #expect(try failure(#"{"code": "auth_failed"}"#)?.meansLoginExpired == true)
        #expect(try failure(#"{"code": "another_device_logged_in"}"#)?.meansLoginExpired == true)
        #expect(try failure(#"{"code": "invalid_param"}"#)?.meansLoginExpired == false)
    }
}
