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
        let before = ProcessMemory.peak
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
        print("\(text), largest chunk \(largest >> 10) KiB, memory +\(ProcessMemory.peak - before) KiB to \(ProcessMemory.peak) KiB")
        await client.shutDown()
    }
}

/// The memory of this process.
enum ProcessMemory {
    /// The peak of the resident memory in KiB.
    ///
    /// Not that of `getrusage`, which begins with the peak of the process that started this one.
    static var peak: Int {
        guard let status = fopen("/proc/self/status", "r") else { return 0 }
        defer { fclose(status) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, Int32(line.count), status) != nil {
            let words = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self).split { $0 == " " || $0 == "\t" }
            if words.first == "VmHWM:", words.count > 1 { return Int(words[1]) ?? 0 }
        }
        return 0
    }
}
