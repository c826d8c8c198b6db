import Glibc
import SortieNetworking

/// Sends many small GETs through `Client`, with a constant number of requests in flight, and prints their rate and the CPU time of the process.
struct RequestBenchmark {
    let url: HTTPURL
    let count: Int
    let inFlight: Int
    /// The file with the certificate to trust; nil for those of the system.
    let certificate: String?

    func run() async throws {
        let client = Client(.init(limits: [url.origin: RequestLimits(requests: inFlight)]))
        var request = Request(url: url)
        if let certificate { request.options.trust.certificateAuthorityFile = certificate }
        // Warms up the connection pool and the code, as in a running program.
        _ = try await client.send(request)
        let clock = ContinuousClock()
        var failures = 0
        let usedBefore = Self.cpuTime
        let duration = await clock.measure {
            await withTaskGroup(of: Int.self) { group in
                for worker in 0..<inFlight {
                    let share = count / inFlight + (worker < count % inFlight ? 1 : 0)
                    group.addTask { [request] in
                        var failures = 0
                        for _ in 0..<share {
                            do { _ = try await client.send(request) } catch { failures += 1 }
                        }
                        return failures
                    }
                }
                for await failed in group { failures += failed }
            }
        }
        let seconds = Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
        let used = Int((Self.cpuTime - usedBefore) / Double(count) * 1e7)
        print("\(Int(Double(count) / seconds)) requests/s, \(used / 10).\(used % 10) µs CPU/request, \(failures) failed")
        await client.shutDown()
    }

    /// The CPU time of the process in seconds.
    private static var cpuTime: Double {
        var usage = rusage()
        getrusage(Int32(RUSAGE_SELF.rawValue), &usage)
        func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }
}
