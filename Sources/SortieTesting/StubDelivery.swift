internal import SortieNetworking

/// Writes one stub response.
struct StubDelivery {
    let request: TransportRequest
    let writer: TransportResponseWriter
    let waiting: StubTransport.Waiting
    /// The sum of all virtual delays.
    private var elapsed = Duration.zero
    private var timing = TransportTiming()

    init(request: TransportRequest, writer: TransportResponseWriter, waiting: StubTransport.Waiting) {
        self.request = request
        self.writer = writer
        self.waiting = waiting
    }

    mutating func write(_ response: StubResponse) async throws {
        if response.isWithheld {
            // Ends when the task is cancelled.
            while true { try await Task.sleep(for: .seconds(3600)) }
        }
        try await wait(response.delay)
        if let failure = response.failure, failure.afterBytes == nil { throw failure.error }
        try await writer.begin(Response(status: response.status, reason: response.reason, headers: headers(of: response)))
        var rest = request.method == .head ? [] : response.body[...]
        if let count = response.failure?.afterBytes { rest = rest.prefix(max(0, count)) }
        while !rest.isEmpty {
            try await wait(response.chunkDelay)
            let chunk = rest.prefix(max(1, response.chunkSize))
            rest = rest.dropFirst(chunk.count)
            try await writer.write(Array(chunk))
        }
        if let failure = response.failure { throw failure.error }
        if !response.trailers.fields.isEmpty { try await writer.write(trailers: response.trailers) }
    }

    private func headers(of response: StubResponse) -> Headers {
        var headers = response.headers
        let hasLength = headers.contains("Content-Length") || headers.contains("Transfer-Encoding") || [204, 304].contains(response.status)
        if !hasLength { headers.append("Content-Length", String(response.body.count)) }
        return headers
    }

    /// Waits, or adds the time to the timing of the attempt.
    ///
    /// - Throws: `timedOut` for a virtual delay that reaches a time limit.
    private mutating func wait(_ time: Duration) async throws {
        guard time > .zero else { return }
        guard waiting == .virtual else { return try await Task.sleep(for: time) }
        let idle = request.idleLimit
        let isIdle = time >= idle
        elapsed += isIdle ? idle : time
        let isLate = request.timeLeft.map { elapsed >= $0 } ?? false
        if timing.firstByte == nil { timing.firstByte = elapsed }
        timing.total = isLate ? request.timeLeft : elapsed
        await writer.record(timing)
        if isLate { throw NetworkError(.timedOut, "no complete response within the time limit (virtual delay)", timeLimit: .total) }
        if isIdle { throw NetworkError(.timedOut, "no data arrived for \(idle) (virtual delay)", timeLimit: .idle) }
    }
}
