import SortieClassic

// The code of Sources/SortieClassic/Documentation.docc/SortieClassic.md, and further uses of that library; it is compiled, and not run.

func callbacks(_ client: Client) throws {
    var callbacks = CallCallbacks { result in print(result) }
    callbacks.progress = { print($0.received) }
    let task = client.start(try Request("https://shop.example/orders"), callbacks: callbacks, on: MainActor.shared)
    task.suspend()
    task.resume()
}

func plugins() -> ServiceConfiguration {
    let shop = ServiceConfiguration(
        servers: ["live": ["https://shop.example"]],
        plugins: [
            ClassicPlugins.publicParameters(sortsOthers: true) { _ in [("appId", "100001")] },
            ClassicPlugins.legacySignature(secret: "…"), ClassicPlugins.errorFilter(), ClassicPlugins.signals(),
        ])
    return shop
}

/// Receives the stages of calls, downloads, batches and chains.
final class Listener: CallDelegate, DownloadDelegate, BatchDelegate, ChainDelegate {
    typealias Value = Int
    func call(_ id: RequestID, succeeded exchange: Exchange) { print(exchange.duration) }
    func download(_ id: RequestID, progressed progress: DownloadProgress) { print(progress.rate) }
    func batch(_ batch: Batch<Int>, succeeded result: BatchResult<Int>) { print(result.values) }
    func chain(_ chain: Chain<Int>, failed error: any Error) { print(error) }
}

func members(_ client: Client, _ request: Request, _ inner: Batch<Int>) throws {
    let batch = Batch<any Sendable>()
    try batch.add(any: SendMember(request, with: client))
    try batch.add(any: NestedBatch(inner))
    try Batch<Exchange>().add(SendMember(request, with: client) { print($0) }) { print($0.value?.duration ?? 0) }
}

struct Orders: TypedEndpoint, Encodable {
    typealias Output = [Int]
    var path: String { "/orders" }
}

func stages(_ client: Client, _ download: Download, _ batch: Batch<Int>, _ chain: Chain<Int>) async throws {
    let listener = Listener()
    var callbacks = DownloadCallbacks()
    callbacks.didSuspend = { print("paused") }
    let file = client.downloads.start(download, callbacks: callbacks, delegate: listener, on: MainActor.shared)
    print(await file.result.state, try await batch.run(delegate: listener).error ?? "")
    await chain.run(callbacks: ChainCallbacks { print($0) }, delegate: listener)
    let task = try client.task(Orders(), callbacks: LifecycleCallbacks { print($0) })
    client.startForMain(task.request) { print($0) }
    client.task(task.request, delegate: listener).start()
    let scope = CallScope(client)
    scope.start(task.request, delegate: listener)
    print(scope.calls.count)
    await task.request.start(with: client).result.value(at: try JSONPath("$.data[0].id")).withValue { print($0.text) }.withError { print($0) }
}

func formats(_ client: Client, _ request: Request, _ encryptor: AESGCMEncryptor) async -> ServiceConfiguration {
    for await event in client.events(request) {
        switch event.signal {
        case .loading(let isLoading): print(isLoading)
        case .toast(let text), .authExpired(let text): print(text)
        case nil: break
        }
    }
    let error = NetworkError.emptyList(page: 1, in: .simplifiedChinese)
    print(error.legacyCode, error.legacyText, NetworkError.errorDomain, error.errorCode, error.errorUserInfo, ParameterEncoding.legacy)
    var shop = ServiceConfiguration(servers: ["live": ["https://shop.example"]])
    shop.envelope = .legacy
    shop.plugins = [
        ClassicPlugins.encryptedQuery(parameter: "data") { _ in encryptor }, ClassicPlugins.signature(secret: "…", timestampHeader: "X-Time"),
        ClassicPlugins.debugLogLines { request, response in [("Status", response.map { "\($0.status)" } ?? request.method.rawValue)] },
    ]
    return shop
}
