import AsyncHTTPClient
import Glibc
import NIOCore
import NIOSSL

/// The same requests as `RequestBenchmark`, by AsyncHTTPClient.
@main
struct Requests {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 5, let count = Int(arguments[2]), let inFlight = Int(arguments[3]) else {
            print("usage: requests URL COUNT IN-FLIGHT CERTIFICATE")
            exit(2)
        }
        let url = arguments[1]
        var configuration = HTTPClient.Configuration()
        if url.hasPrefix("https") {
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMFile(arguments[4]))
            configuration.tlsConfiguration = tls
        }
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = inFlight
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        // Warms up the connection pool and the code, as in a running program.
        _ = await send(url, client)
        let clock = ContinuousClock()
        let usedBefore = cpuTime
        let start = clock.now
        var failures = 0
        await withTaskGroup(of: Int.self) { group in
            for worker in 0..<inFlight {
                let share = count / inFlight + (worker < count % inFlight ? 1 : 0)
                group.addTask {
                    var failures = 0
                    for _ in 0..<share where await !send(url, client) { failures += 1 }
                    return failures
                }
            }
            for await failed in group { failures += failed }
        }
        let time = start.duration(to: clock.now)
        let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
        let used = Int((cpuTime - usedBefore) / Double(count) * 1e7)
        print("\(Int(Double(count) / seconds)) requests/s, \(used / 10).\(used % 10) µs CPU/request, \(failures) failed")
        try await client.shutdown()
    }

    /// Sends one request and reads its body; returns whether it succeeded.
    private static func send(_ url: String, _ client: HTTPClient) async -> Bool {
        do {
            let response = try await client.execute(HTTPClientRequest(url: url), timeout: .seconds(60))
            _ = try await response.body.collect(upTo: 1 << 20)
            return response.status == .ok
        } catch { return false }
    }

    /// The CPU time of the process in seconds.
    private static var cpuTime: Double {
        var usage = rusage()
        getrusage(Int32(RUSAGE_SELF.rawValue), &usage)
        func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }
}
