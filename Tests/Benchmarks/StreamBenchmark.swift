import Glibc
import SortieNetworking

/// Streams one body to a consumer, and prints the rate, the largest chunk and the peak memory of the process.
struct StreamBenchmark {
    let url: HTTPURL
    /// The highest rate of the consumer in bytes per second; nil for none.
    let rate: Int?
    let version: RequestOptions.Version

    func run() async throws {
        let client = Client()
        var request = Request(url: url)
        request.options.version = version
        // Loads the engine, so that the growth of the memory is that of the stream.
        var warmUp = request
        warmUp.method = .head
        _ = try await client.send(warmUp)
        let before = Self.peak
        let clock = ContinuousClock()
        let start = clock.now
        let response = try await client.stream(request)
        var (received, largest) = (0, 0)
        for try await chunk in response.body {
            received += chunk.count
            largest = max(largest, chunk.count)
            guard let rate else { continue }
            let due = start + .seconds(Double(received) / Double(rate))
            if due > clock.now { try await Task.sleep(until: due) }
        }
        let time = start.duration(to: clock.now)
        let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
        let text = "HTTP/\(response.head.httpVersion), \(received >> 20) MiB in \(Int(seconds * 1000)) ms"
        print("\(text), largest chunk \(largest >> 10) KiB, memory +\(Self.peak - before) KiB to \(Self.peak) KiB")
        await client.shutDown()
    }

    /// The peak of the resident memory in KiB.
    private static var peak: Int {
        var usage = rusage()
        getrusage(Int32(RUSAGE_SELF.rawValue), &usage)
        return usage.ru_maxrss
    }
}
