internal import SortieBase
internal import SortieHTTP
internal import Synchronization

/// Queries a DNS over HTTPS server (RFC 8484) through the engine, so that no thread blocks.
final class DNSOverHTTPS: Sendable {
    /// The largest accepted DNS message, in bytes.
    private static let largestMessage: Int64 = 65_535

    private let spoolFolder: String
    /// The time limit for one query (`EngineFacts.md` 4.2).
    private let patience: Duration
    /// The client for queries, created on first use.
    ///
    /// It has no plugins and no cookies, and the system resolves its names.
    private let client = Mutex<Client?>(nil)

    init(spoolFolder: String, patience: Duration = .seconds(5)) {
        (self.spoolFolder, self.patience) = (spoolFolder, patience)
    }

    /// Queries `server` for the addresses of `host`.
    ///
    /// `answer` is called once, on any thread.
    func start(_ host: String, _ server: HTTPURL, _ completion: @escaping @Sendable (NameLookup.Answer) -> Void) {
        // The answer is stored in a file after the waiting calls have received it.
        Task(executorPreference: BlockingExecutor.shared) { completion(await self.ask(host, server)) }
    }

    private func ask(_ host: String, _ server: HTTPURL) async -> NameLookup.Answer {
        async let second = self.question(.ipv6, host, server)
        let answers = [await question(.ipv4, host, server), await second]
        let found = answers.compactMap { if case .success(let answer) = $0, !answer.addresses.isEmpty { answer } else { nil } }
        if !found.isEmpty {
            // IPv6 first, as the system sorts addresses where both families work.
            let addresses = found.reversed().flatMap(\.addresses)
            return .addresses(addresses, lifetime: found.compactMap(\.lifetime).min().map { .seconds(Int64($0)) })
        }
        for case .failure(let failure) in answers where !failure.isFinal { return .unavailable("\(server.origin): \(failure.words)") }
        for case .failure(let failure) in answers { return .failed("\(server.origin): \(failure.words)") }
        return .failed("\(server.origin): the name has no address")
    }

    private struct QueryFailure: Error {
        var words: String
        /// Whether the server stated that the name has no such record; otherwise another resolver may know it.
        var isFinal = false
    }

    private func question(_ kind: DNSQuestion.Kind, _ host: String, _ server: HTTPURL) async -> Result<DNSAnswer, QueryFailure> {
        let question: DNSQuestion
        do { question = try DNSQuestion(kind, of: host) } catch { return .failure(QueryFailure(words: "\(error)", isFinal: true)) }
        var exchange = await send(question, .get, server)
        // A server that supports only POST responds with 405 or 501 to GET (RFC 8484 §4.1).
        if let status = exchange.response?.status, status == 405 || status == 501 { exchange = await send(question, .post, server) }
        guard let response = exchange.response, exchange.error == nil else {
            return .failure(QueryFailure(words: exchange.error?.message ?? "no response"))
        }
        guard response.status == 200 else { return .failure(QueryFailure(words: "the DNS server responded with \(response.status)")) }
        guard response.contentType?.lowercased().hasPrefix("application/dns-message") == true else {
            return .failure(
                QueryFailure(words: "the DNS server responded with \(response.contentType ?? "a body without a type"), not a DNS message"))
        }
        do {
            var answer = try DNSAnswer(response.body.bytes(in: 0..<response.body.count), to: question)
            answer.age(by: response.headers["Age"].flatMap { UInt32($0) } ?? 0)
            return .success(answer)
        } catch {
            return .failure(QueryFailure(words: "\(error)", isFinal: error == .refused(code: 3)))
        }
    }

    private func send(_ question: DNSQuestion, _ method: HTTPMethod, _ server: HTTPURL) async -> Exchange {
        let type = "application/dns-message"
        var request = Request(method: method, url: server, headers: [HeaderField("Accept", type)])
        if method == .get {
            request.url = server.appending(query: [("dns", Base64.urlText(question.message))])
        } else {
            request.body = .bytes(question.message, contentType: type)
        }
        request.options.timeouts = Timeouts(connect: patience, idle: patience, total: patience)
        request.options.maximumBodyBytes = Self.largestMessage
        request.options.usesCookies = false
        request.options.suppressesUI = true
        let client = client.withLock { client in
            if let client { return client }
            var configuration = ClientConfiguration(spoolFolder: spoolFolder)
            // A language would identify the user to the server (RFC 8484 §8.2).
            configuration.standardFields = StandardFields(languages: [])
            let new = Client(configuration, resolver: Resolver())
            client = new
            return new
        }
        return await client.exchange(request)
    }
}
