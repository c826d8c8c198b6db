import SortieClassic
import SortieNetworking
import Support
import Synchronization
import Testing

/// Tests the stages of plugins (S0.19–S0.25): their order, their permitted changes, and their errors.
@Suite(.fewAtOnce)
struct PluginTests {
    /// Records every stage, and performs the actions of the test in it.
    private final class Recorder: Plugin {
        let name: String
        let stages: Watched<[String]>
        let onPrepare: @Sendable (inout Request, PluginContext) throws -> Void
        let onResponse: @Sendable (Response, PluginContext) -> Recovery
        let continuation: Continuation

        init(
            _ name: String, _ stages: Watched<[String]>, continuation: Continuation = .next,
            onPrepare: @escaping @Sendable (inout Request, PluginContext) throws -> Void = { _, _ in },
            onResponse: @escaping @Sendable (Response, PluginContext) -> Recovery = { _, _ in .none }
        ) {
            self.name = name
            self.stages = stages
            self.continuation = continuation
            self.onPrepare = onPrepare
            self.onResponse = onResponse
        }

        private func note(_ stage: String) { stages.change { $0.append("\(name) \(stage)") } }

        func willPrepare(_ request: inout Request, in context: PluginContext) { note("willPrepare") }

        func prepare(_ request: inout Request, in context: PluginContext) throws {
            note("prepare")
            try onPrepare(&request, context)
        }

        func willSend(_ request: Request, in context: PluginContext) { note("willSend") }

        func didReceive(_ response: Response, to request: Request, in context: PluginContext) -> Recovery {
            note("didReceive \(response.status)")
            return onResponse(response, context)
        }

        func process(_ exchange: inout Exchange, in context: PluginContext) -> Continuation {
            note("process")
            return continuation
        }

        func didFinish(_ exchange: Exchange, in context: PluginContext) { note("didFinish") }
    }

    private struct Broken: Error {}

    private func exchange(_ plugins: [any Plugin], _ url: String) async throws -> Exchange {
        let folder = try TemporaryFolder()
        let client = Client(.init(spoolFolder: folder.path, plugins: plugins))
        return try await withDeadline(.seconds(300), "the call to end") { await client.exchange(try Request(url: HTTPURL(parsing: url))) }
    }

    @Test func `S0.24 the plugins are called in order, stage by stage`() async throws {
        let server = try ScriptedServer(answering: .ok())
        let stages = Watched<[String]>([])
        _ = try await exchange([Recorder("a", stages), Recorder("b", stages)], server.url)
        #expect(
            stages.current == [
                "a willPrepare", "b willPrepare", "a prepare", "b prepare", "a willSend", "b willSend", "a didReceive 200", "b didReceive 200",
                "a process", "b process", "a didFinish", "b didFinish",
            ])
    }

    /// Changes the request in stage 1.
    private struct Early: Plugin {
        func willPrepare(_ request: inout Request, in context: PluginContext) {
            request.method = .put
            request.url.path = "/early" + request.url.path
            request.headers["X-Early"] = (request.headers["X-Early"] ?? "") + "1"
            request.body = .text("made early", contentType: "text/plain")
        }

        func prepare(_ request: inout Request, in context: PluginContext) {
            request.headers["X-Seen"] = "\(request.method) \(request.url.path)"
        }
    }

    @Test func `S0.19 stage 1 changes the request once, before anything is built from it`() async throws {
        let server = try ScriptedServer { request in request.target == "/early/a" ? .redirect(307, to: "/b") : .ok() }
        let exchange = try await exchange([Early()], "\(server.url)/a")
        #expect(exchange.response?.status == 200)
        #expect(server.requests.map { "\($0.method) \($0.target) \($0.bodyText)" } == ["PUT /early/a made early", "PUT /b made early"])
        #expect(server.requests.map { $0["X-Early"] } == ["1", "1"])
        #expect(server.requests.first?["X-Seen"] == "PUT /early/a", "the later stages receive the changed request")
        #expect(server.requests.first?["Content-Type"] == "text/plain")
    }

    @Test func `S0.24 the complete order of a call: plugins, log, transfer, status, decoding, validation and callback`() async throws {
        let stages = Watched<[String]>([])
        @Sendable func note(_ stage: String) { stages.change { $0.append(stage) } }
        let server = try ScriptedServer { _ in
            note("transfer")
            return .json(#"{"code": 200, "result": {"id": 7}}"#)
        }
        let folder = try TemporaryFolder()
        let log = DebugLogPlugin { note($0.contains("Request Start") ? "log of the request" : "log of the response") }
        var service = ServiceConfiguration(
            plugins: [Recorder("a", stages), Recorder("b", stages), log],
            envelope: try Envelope(codePath: JSONPath("$.code"), success: [.string("200")], resultPath: JSONPath("$.result")), validatesStatus: true)
        service.filter = { response in
            note("filter after the status")
            return response
        }
        service.reformer = { _, value in
            note("reformer gets \(value?["id"]?.text ?? "nothing")")
            return value ?? .null
        }
        service.validator = { _, _ in note("validator") }
        let client = Client(.init(spoolFolder: folder.path, services: ["shop": service]))
        let request = Request(url: try HTTPURL(parsing: server.url), service: "shop")
        let task = client.start(request) { _ in note("callback") }
        let status = try await withDeadline(.seconds(300), "the call to end") { try await task.value.status }
        #expect(status == 200)
        #expect(
            stages.current == [
                "a willPrepare", "b willPrepare", "a prepare", "b prepare", "a willSend", "b willSend", "log of the request", "transfer",
                "log of the response", "a didReceive 200", "b didReceive 200", "filter after the status", "reformer gets 7", "validator",
                "a process", "b process", "a didFinish", "b didFinish", "callback",
            ])
    }

    /// Notes the stages in which an endpoint reads its response.
    private struct Noting: TypedEndpoint {
        typealias Output = Int
        let note: @Sendable (String) -> Void
        var path: String { "/" }
        var plugins: [any Plugin] = []
        func parameters() -> [ParameterValue.Member] { [] }
        func filter(_ response: Response) -> Response {
            note("filter")
            return response
        }
        func output(of response: Response) throws -> Int {
            note("decode")
            return try response.decoded(as: Int.self)
        }
        func validate(_ output: Int) { note("validate \(output)") }
    }

    @Test func `S0.24 S4.3 the complete order of a typed call: status, decoding and validation between the plugins, then the callbacks`() async throws
    {
        let stages = Watched<[String]>([])
        @Sendable func note(_ stage: String) { stages.change { $0.append(stage) } }
        let server = try ScriptedServer { request in request.target == "/" ? .json("7") : .status(500) }
        let folder = try TemporaryFolder()
        let log = DebugLogPlugin { note($0.contains("Request Start") ? "log of the request" : "log of the response") }
        let client = Client(.init(spoolFolder: folder.path, plugins: [log]))
        var callbacks = LifecycleCallbacks<CallProgress, Int, NetworkError>()
        callbacks.willStart = { note("start") }
        callbacks.willStop = { note("stop") }
        callbacks.success = { note("success \($0)") }
        callbacks.failure = { note("failure \($0.code)") }
        callbacks.didStop = { note("end") }
        let endpoint = Noting(note: note, plugins: [Recorder("a", stages)])
        let begin = ["start", "a willPrepare", "a prepare", "a willSend", "log of the request", "log of the response"]
        for (base, read) in [
            (server.url, ["a didReceive 200", "filter", "decode", "validate 7", "a process", "a didFinish", "stop", "success 7", "end"]),
            ("\(server.url)/x", ["a didReceive 500", "a process", "a didFinish", "stop", "failure status", "end"]),
        ] {
            stages.change { $0 = [] }
            let task = try client.task(endpoint, to: Server(base), callbacks: callbacks)
            _ = try await withDeadline(.seconds(300), "the call to end") { await task.exchange }
            // The callback is called on an actor, beside the preparation of the call.
            #expect(stages.current.sorted() == (begin + read).sorted())
            #expect(stages.current.filter { $0 != "start" } == (begin + read).filter { $0 != "start" })
        }
    }

    /// Adds a letter to a field.
    private struct Letter: Plugin {
        let name: String
        let letter: String
        var isReplaceable = false
        func prepare(_ request: inout Request, in context: PluginContext) {
            request.headers["X-Letters"] = (request.headers["X-Letters"] ?? "") + letter
        }
    }

    @Test func `S1.42 plugins of an endpoint and a call are added, take the place of replaceable ones, or are the only ones`() async throws {
        let server = try ScriptedServer(answering: .json("7"))
        let folder = try TemporaryFolder()
        let service = ServiceConfiguration(
            servers: ["live": [server.url]],
            plugins: [Letter(name: "token", letter: "t", isReplaceable: true), Letter(name: "sign", letter: "s", isReplaceable: true)])
        let client = Client(
            .init(spoolFolder: folder.path, plugins: [Letter(name: "common", letter: "c")], services: ["shop": service], environment: "live"))
        func letters(_ own: [any Plugin], _ call: [any Plugin] = [], inherits: Bool = true) async throws -> String? {
            var options = RequestOptions()
            options.inheritsPlugins = inherits
            let endpoint = Noting(note: { _ in }, plugins: own)
            _ = try await withDeadline(.seconds(300), "the call to end") { [options] in
                try await client.send(endpoint, through: "shop", plugins: call, options: options)
            }
            return server.requests.last?["X-Letters"]
        }
        #expect(try await letters([]) == "cts")
        #expect(try await letters([Letter(name: "own", letter: "o")]) == "ctso")
        #expect(try await letters([Letter(name: "common", letter: "C")]) == "ctsC", "the client's is not replaceable")
        let token = Letter(name: "token", letter: "T", isReplaceable: true)
        #expect(try await letters([token]) == "cTs", "in its place, before the signature")
        #expect(try await letters([token], [Letter(name: "token", letter: "U")]) == "cUs", "the call replaces that of the endpoint")
        #expect(try await letters([token], inherits: false) == "T")
        #expect(try await letters([], inherits: false) == nil)
        let request = try client.request("/", through: "shop")
        _ = try await withDeadline(.seconds(300), "the call to end") { try await client.send(request, plugins: [token]) }
        #expect(server.requests.last?["X-Letters"] == "cTs", "a request without an endpoint, too")
    }

    @Test func `S1.42 an endpoint has its own signing rule`() async throws {
        let server = try ScriptedServer(answering: .json("7"))
        let folder = try TemporaryFolder()
        let service = ServiceConfiguration(servers: ["live": [server.url]], plugins: [SignPlugin(MD5Signer(secret: "s"))])
        let client = Client(.init(spoolFolder: folder.path, services: ["shop": service], environment: "live"))
        for plugins in [[], [SignPlugin(HMACSigner(secret: "h"), parameter: "mac", timestampHeader: "X-Time")]] {
            let endpoint = Noting(note: { _ in }, plugins: plugins)
            _ = try await withDeadline(.seconds(300), "the call to end") { try await client.send(endpoint, through: "shop") }
        }
        #expect(server.requests.map { $0.target.contains("sign=") } == [true, false])
        #expect(server.requests.map { $0.target.contains("mac=") } == [false, true])
        #expect(server.requests.last?["X-Time"] != nil)
    }

    @Test func `S0.29 S0.30 public parameters, order, token and signature together give the request of the document`() async throws {
        let server = try ScriptedServer(answering: .ok())
        let parameters = [
            ("timeStamp", "20200319174603"), ("appId", "100001"), ("region", "cn"), ("appVersion", "1.0"), ("device", "iOS"), ("lang", "zh-cn"),
            ("deviceId", "mnsdnjenrjkjke38dajdjwejd"),
        ]
        let plugins: [any Plugin] = [
            PublicParametersPlugin(sortsOthers: true) { _ in parameters.map { (name: $0.0, value: $0.1) } },
            TokenPlugin { _ in .fixed("dskjjjjdj3dsjs") }, SignPlugin(MD5Signer(secret: "eiifs9wesdfsjes")),
        ]
        let business = "version=3.0&method=HomePageManager.GetHomePageInfo&bizContent=%7B%22UserId%22%3A0%7D&module=appguide&clientVersion=6.4.2"
        _ = try await exchange(plugins, "\(server.url)/gateway?\(business)")
        #expect(
            server.requests.map(\.target) == [
                "/gateway?appId=100001&appVersion=1.0&device=iOS&deviceId=mnsdnjenrjkjke38dajdjwejd&lang=zh-cn&region=cn&timeStamp=20200319174603"
                    + "&bizContent=%7B%22UserId%22%3A0%7D&clientVersion=6.4.2&method=HomePageManager.GetHomePageInfo&module=appguide&version=3.0"
                    + "&sign=99bc3ea55d28dc5c2f7a8ed0c458e9d7"
            ])
    }

    @Test func `S0.24 a rejected status ends the processing before the filter, and the last stage and the callback follow`() async throws {
        let stages = Watched<[String]>([])
        @Sendable func note(_ stage: String) { stages.change { $0.append(stage) } }
        let server = try ScriptedServer(answering: .status(500))
        let folder = try TemporaryFolder()
        var service = ServiceConfiguration(plugins: [Recorder("a", stages)], validatesStatus: true)
        service.filter = { response in
            note("filter")
            return response
        }
        let client = Client(.init(spoolFolder: folder.path, services: ["shop": service]))
        let request = Request(url: try HTTPURL(parsing: server.url), service: "shop")
        let task = client.start(request) { _ in note("callback") }
        let error = try await withDeadline(.seconds(300), "the call to end") { await task.exchange.error }
        #expect(error?.code == .status)
        #expect(stages.current.suffix(4) == ["a didReceive 500", "a process", "a didFinish", "callback"])
    }

    @Test func `S2.19 a request that bypasses plugins is not changed by them, is observed by all, and is sent once`() async throws {
        let server = try ScriptedServer(answering: .status(401))
        let folder = try TemporaryFolder()
        let stages = Watched<[String]>([])
        let plugin = Recorder(
            "a", stages, onPrepare: { request, _ in request.headers["X-Common"] = "1" }, onResponse: { _, _ in .sendAgain("a new token") })
        let service = ServiceConfiguration(plugins: [PublicParametersPlugin { _ in [("appId", "7")] }], encryptor: Scrambler())
        let client = Client(.init(spoolFolder: folder.path, plugins: [plugin], services: ["shop": service]))
        var request = Request(
            method: .post, url: try HTTPURL(parsing: "\(server.url)/as/given?x=1"), body: .text("plain", contentType: nil), service: "shop")
        request.options.bypassesPlugins = true
        let exchange = try await withDeadline(.seconds(300), "the call to end") { [request] in await client.exchange(request) }
        #expect(exchange.response?.status == 401)
        #expect(server.requests.map(\.target) == ["/as/given?x=1"])
        #expect(server.requests.first?["X-Common"] == nil)
        #expect(server.requests.first?.bodyText == "plain")
        #expect(stages.current == ["a willSend", "a didReceive 401", "a process", "a didFinish"])
    }

    /// Makes every body unreadable.
    private struct Scrambler: BodyEncryptor {
        func encrypt(_ body: [UInt8], contentType: String?) -> (bytes: [UInt8], contentType: String?) { ([0], "x/y") }
        func isEncrypted(_ contentType: String?) -> Bool { false }
        func decrypt(_ body: [UInt8], contentType: String?) -> (bytes: [UInt8], contentType: String?) { (body, contentType) }
    }

    @Test func `S0.30 the stages of an attempt are repeated for every redirect`() async throws {
        let server = try ScriptedServer { request in request.target == "/" ? .redirect(to: "/next") : .ok() }
        let stages = Watched<[String]>([])
        let signing = Recorder("sign", stages, onPrepare: { request, context in request.headers["X-Attempt"] = "\(context.attempt)" })
        _ = try await exchange([signing], server.url)
        #expect(server.requests.map { $0["X-Attempt"] } == ["1", "2"])
        #expect(stages.current.filter { $0.contains("prepare") } == ["sign prepare", "sign prepare"])
        #expect(stages.current.filter { $0.contains("process") }.count == 1)
    }

    @Test func `S0.23 a plugin can prevent later plugins from processing the result`() async throws {
        let server = try ScriptedServer(answering: .ok())
        let stages = Watched<[String]>([])
        _ = try await exchange([Recorder("a", stages, continuation: .stop), Recorder("b", stages)], server.url)
        #expect(!stages.current.contains("b process"))
        #expect(stages.current.contains("b didFinish"))
    }

    @Test func `an error of a plugin is the call's error, and nothing is sent`() async throws {
        let server = try ScriptedServer(answering: .ok())
        let exchange = try await exchange([Recorder("sign", Watched([]), onPrepare: { _, _ in throw Broken() })], server.url)
        #expect(exchange.error?.code == .pluginFailed)
        #expect(exchange.error?.message.contains("sign") == true)
        #expect(server.requests.isEmpty)
    }

    @Test func `a plugin sees the transport errors of attempts, and no rejected status`() async throws {
        final class Observer: Plugin {
            let codes = Mutex<[NetworkError.Code]>([])

            func didFail(_ error: NetworkError, to request: Request, in context: PluginContext) { codes.withLock { $0.append(error.code) } }
        }
        let (dead, server) = (try DeadPort(.refusing), try ScriptedServer(answering: .status(500)))
        let (observer, client) = (Observer(), Client())
        #expect(await client.exchange(try .to(dead.url), plugins: [observer]).error?.code == .connectionRefused)
        let rejected = try Request.to(server.url) { $0.answer.statuses = [200...299] }
        #expect(await client.exchange(rejected, plugins: [observer]).error?.code == .status)
        #expect(observer.codes.withLock { $0 } == [.connectionRefused])
    }

    @Test func `S0.23 the last stage is called for a failed call, too`() async throws {
        let stages = Watched<[String]>([])
        let dead = try DeadPort(.refusing)
        let exchange = try await exchange([Recorder("a", stages)], dead.url)
        withExtendedLifetime(dead) {}
        #expect(exchange.error?.code == .connectionRefused)
        #expect(stages.current.suffix(2) == ["a process", "a didFinish"])
    }

    /// Waits in a stage until the test has ended, and ignores that its task is cancelled.
    private struct Stubborn: Plugin {
        let stage: String
        let hasEnded: Watched<Bool>

        private func pass(_ stage: String) async {
            guard stage == self.stage else { return }
            await withCheckedContinuation { continuation in
                Task.detached {
                    do { try await hasEnded.wait("the test to end", within: .seconds(600)) { $0 ? () : nil } } catch { Issue.record(error) }
                    continuation.resume()
                }
            }
        }

        func willPrepare(_ request: inout Request, in context: PluginContext) async { await pass("willPrepare") }
        func prepare(_ request: inout Request, in context: PluginContext) async { await pass("prepare") }
        func willSend(_ request: Request, in context: PluginContext) async { await pass("willSend") }

        func didReceive(_ response: Response, to request: Request, in context: PluginContext) async -> Recovery {
            await pass("didReceive")
            return .none
        }

        func process(_ exchange: inout Exchange, in context: PluginContext) async -> Continuation {
            await pass("process")
            return .next
        }

        func didFinish(_ exchange: Exchange, in context: PluginContext) async { await pass("didFinish") }
    }

    @Test(arguments: ["willPrepare", "prepare", "willSend", "didReceive", "process"])
    func `the time limit of a call ends the wait for a plugin that ignores its cancellation`(stage: String) async throws {
        let (server, hasEnded, folder) = (try ScriptedServer(answering: .ok("late")), Watched(false), try TemporaryFolder())
        defer { hasEnded.change { $0 = true } }
        let client = Client(.init(spoolFolder: folder.path, plugins: [Stubborn(stage: stage, hasEnded: hasEnded)]))
        var request = try Request(url: HTTPURL(parsing: server.url))
        request.options.timeouts.total = .seconds(2)
        let exchange = try await withDeadline(.seconds(300), "the call to end") { [request] in await client.exchange(request) }
        #expect(exchange.error?.code == .timedOut, "\(String(describing: exchange.error))")
    }

    @Test func `a call does not wait without end for a plugin after its end, and its result stays`() async throws {
        let (server, hasEnded, folder) = (try ScriptedServer(answering: .ok("in time")), Watched(false), try TemporaryFolder())
        defer { hasEnded.change { $0 = true } }
        let client = Client(.init(spoolFolder: folder.path, plugins: [Stubborn(stage: "didFinish", hasEnded: hasEnded)]))
        let request = try Request(url: HTTPURL(parsing: server.url))
        let exchange = try await withDeadline(.seconds(300), "the call to end") { await client.exchange(request) }
        #expect(exchange.error == nil)
    }

    /// Replaces every error by a response.
    private struct Fallback: Plugin {
        let text: String

        func process(_ exchange: inout Exchange, in context: PluginContext) -> Continuation {
            guard exchange.error != nil else { return .next }
            exchange.error = nil
            exchange.response = Response(status: 200, body: BodyBytes(Array(text.utf8)))
            return .next
        }
    }

    @Test func `S0.23 a response by which a plugin replaces an error is decoded for a typed call`() async throws {
        let folder = try TemporaryFolder()
        let client = Client(.init(spoolFolder: folder.path, plugins: [Fallback(text: "[1, 2]")]))
        let dead = try DeadPort(.refusing)
        #expect(try await client.get("\(dead.url)/orders", as: [Int].self) == [1, 2])
    }

    @Test func `a response by which a plugin replaces an error is not cached`() async throws {
        let folder = try TemporaryFolder()
        let client = Client(.init(spoolFolder: folder.path, plugins: [Fallback(text: "[1, 2]")]))
        let dead = try DeadPort(.refusing)
        let request = try Request.to("\(dead.url)/orders") { $0.cacheLifetime = .seconds(60) }
        #expect(await client.exchange(request).response?.status == 200)
        let stored = try Request.to("\(dead.url)/orders") {
            $0.cacheLifetime = .seconds(60)
            $0.cachePolicy = .cacheOnly
        }
        let exchange = await client.exchange(stored)
        #expect(exchange.attempts.isEmpty && exchange.response?.isFromCache == false)
    }

    @Test func `a response by which a plugin replaces an error, and which cannot be decoded, fails the typed call`() async throws {
        let folder = try TemporaryFolder()
        let client = Client(.init(spoolFolder: folder.path, plugins: [Fallback(text: "no JSON")]))
        let dead = try DeadPort(.refusing)
        let error = await #expect(throws: NetworkError.self) { let _: [Int] = try await client.get("\(dead.url)/orders") }
        #expect(error?.code == .badBody)
    }

    @Test func `a header field that a plugin adds is validated like any other`() async throws {
        let server = try ScriptedServer(answering: .ok())
        let exchange = try await exchange(
            [Recorder("evil", Watched([]), onPrepare: { request, _ in request.headers["X"] = "a\r\nY: b" })], server.url)
        #expect(exchange.error?.code == .invalidHeader)
        #expect(server.requests.isEmpty)
    }

    @Test func `a plugin that recovers from a failure has the request sent again, with a limit`() async throws {
        let server = try ScriptedServer(answering: .status(401))
        let mending = Recorder("token", Watched([]), onResponse: { _, _ in .sendAgain("a new token") })
        let folder = try TemporaryFolder()
        let client = Client(.init(spoolFolder: folder.path, plugins: [mending]))
        let request = try Request(url: HTTPURL(parsing: server.url))
        let events = try await withDeadline(.seconds(300), "the call to end") {
            await client.events(request).reduce(into: [CallEvent]()) { $0.append($1) }
        }
        #expect(events.end?.response?.status == 401)
        #expect(events.end?.attempts.count == 4)
        let texts = Array(repeating: "sent again: a new token", count: 3) + ["not sent again after 3 repetitions: a new token"]
        #expect(events.decisions(.auth) == texts)
    }

    @Test func `S0.29 public parameters come first, sorted, and those of the request take precedence`() async throws {
        let server = try ScriptedServer(answering: .ok())
        let plugin = PublicParametersPlugin { _ in [("lang", "zh-cn"), ("appId", "1 0"), ("page", "9")] }
        _ = try await exchange([plugin], "\(server.url)/orders?page=1&size=2")
        #expect(server.requests.first?.target == "/orders?appId=1%200&lang=zh-cn&page=1&size=2")
    }
}
