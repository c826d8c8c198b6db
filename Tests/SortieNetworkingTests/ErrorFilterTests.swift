import SortieNetworking
import Support
import Testing

/// Tests the error filter and the signals for a user interface (S0.27, S3.3).
@Suite(.fewAtOnce)
struct ErrorFilterTests {
    private func events(
        _ url: String, _ plugins: [any Plugin], _ change: (inout Request) -> Void = { _ in }
    ) async throws -> (signals: [UserSignal], exchange: Exchange) {
        let folder = try TemporaryFolder()
        let client = Client(.init(spoolFolder: folder.path, plugins: plugins))
        var request = Request(url: try HTTPURL(parsing: url))
        change(&request)
        var signals: [UserSignal] = []
        var last: Exchange?
        for await event in client.events(request) {
            if case .reported(let report) = event, let signal = report.signal { signals.append(signal) }
            if case .finished(let exchange) = event { last = exchange }
        }
        return (signals, try #require(last))
    }

    private func error(_ url: String, _ plugins: [any Plugin], _ total: Duration? = nil) async throws -> NetworkError? {
        func change(_ request: inout Request) {
            request.options.texts = .simplifiedChinese
            if let total { request.options.timeouts.total = total }
        }
        return try await events(url, plugins, change).exchange.error
    }

    @Test func `S0.27 a transport error is reworded, and the original message is kept`() async throws {
        let port = try DeadPort(.refusing)
        let error = try await events(port.url, [ErrorFilterPlugin()]) { $0.options.texts = .simplifiedChinese }.exchange.error
        #expect(error?.message == "网络错误")
        #expect(try await events(port.url, [ErrorFilterPlugin()]).exchange.error?.message == "network error")
        #expect(error?.code == .connectionRefused)
        #expect(error?.underlying?.isEmpty == false)
    }

    @Test func `S1.28 failures get the messages of their kind where the filter distinguishes them`() async throws {
        let filter = ErrorFilterPlugin(distinguishes: true)
        let dead = try DeadPort(.refusing)
        let refused = try await error(dead.url, [filter])
        withExtendedLifetime(dead) {}
        #expect(refused?.message == "当前网络差, 请检查网络设置~")
        #expect(refused?.underlying?.isEmpty == false)
        let gate = Gate()
        let silent = try ScriptedServer(Script(.readRequest, .wait(for: gate)))
        let late = try await error(silent.url, [filter], .milliseconds(50))
        #expect(late?.message == "请求超时了~")
        gate.open()
        let broken = try ScriptedServer(Script(.readRequest, .send("nonsense\r\n\r\n"), .expectClose))
        #expect(try await error(broken.url, [filter])?.message == "请求失败了~")
        struct Empty: Plugin {
            let page: Int
            func process(_ exchange: inout Exchange, in context: PluginContext) -> Continuation {
                exchange.error = NetworkError(page == 1 ? .noData : .noMoreData, "the list is empty")
                return .next
            }
        }
        let good = try ScriptedServer(answering: .ok())
        #expect(try await error(good.url, [Empty(page: 1), filter])?.message == "这里什么也没有~")
        #expect(try await error(good.url, [Empty(page: 2), filter])?.message == "没有更多了~")
    }

    @Test func `S0.16 another code is a business error, with the message of the map, the server, the common list or the code`() async throws {
        var envelope = Envelope.resultCode
        envelope.messages = ["a": "from the map"]
        func message(_ answer: String, in texts: UserTexts = .english) async throws -> String? {
            let server = try ScriptedServer(answering: .json(answer))
            return try await events(server.url, [ErrorFilterPlugin(envelope: envelope)]) { $0.options.texts = texts }.exchange.error?.message
        }
        #expect(try await message(#"{"result_code": "a", "message": "from the server"}"#) == "from the map")
        #expect(try await message(#"{"result_code": "b", "message": "from the server"}"#) == "from the server")
        #expect(try await message(#"{"result_code": "invalid_param"}"#) == "a parameter of the request is invalid")
        #expect(try await message(#"{"result_code": "invalid_param"}"#, in: .simplifiedChinese) == "请求参数非法")
        #expect(try await message(#"{"result_code": "c"}"#) == "c")
        #expect(try await message(#"{"result_code": "success"}"#) == nil)
    }

    @Test(arguments: ["auth_failed", "another_device_logged_in"])
    func `S0.27 an expired login is signalled where a bearer token was sent`(code: String) async throws {
        let server = try ScriptedServer(answering: .json(#"{"result_code": "\#(code)"}"#))
        let with = try await events(server.url, [ErrorFilterPlugin()]) { $0.headers["Authorization"] = "Bearer t" }
        #expect(with.signals.count == 1)
        guard case .authExpired? = with.signals.first else { return #expect(Bool(false), "\(with.signals)") }
        #expect(try await events(server.url, [ErrorFilterPlugin()]).signals == [])
    }

    @Test func `S3.3 a call signals its start, its failure and its end, and a quiet one signals nothing`() async throws {
        let server = try ScriptedServer(answering: .json(#"{"result_code": "c"}"#))
        let plugins: [any Plugin] = [SignalsPlugin(), ErrorFilterPlugin()]
        #expect(try await events(server.url, plugins).signals == [.loading(true), .toast("c"), .loading(false)])
        #expect(try await events(server.url, [SignalsPlugin(toast: false), ErrorFilterPlugin()]).signals == [.loading(true), .loading(false)])
        #expect(try await events(server.url, plugins) { $0.options.suppressesUI = true }.signals == [])
    }
}
