import AsyncHTTPClient
import Glibc
import NIOCore
import NIOSSL

// The same requests as RequestBenchmark.swift, by AsyncHTTPClient: requests URL COUNT IN-FLIGHT CERTIFICATE

/// The CPU time of the process in seconds.
func cpuTime() -> Double {
    var usage = rusage()
    getrusage(Int32(RUSAGE_SELF.rawValue), &usage)
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    return seconds(usage.ru_utime) + seconds(usage.ru_stime)
}

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
configuration.decompression = .enabled(limit: .none)
let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)

/// Sends one request and reads its body; returns whether it succeeded.
@Sendable func send() async -> Bool {
    do {
        let response = try await client.execute(HTTPClientRequest(url: url), timeout: .seconds(60))
        _ = try await response.body.collect(upTo: 1 << 20)
        return response.status == .ok
    } catch { return false }
}

_ = await send()
let clock = ContinuousClock()
let usedBefore = cpuTime()
let start = clock.now
let failures = await withTaskGroup(of: Int.self) { group in
    for worker in 0..<inFlight {
        let share = count / inFlight + (worker < count % inFlight ? 1 : 0)
        group.addTask {
            var failures = 0
            for _ in 0..<share where await !send() { failures += 1 }
            return failures
        }
    }
    return await group.reduce(0, +)
}
let time = start.duration(to: clock.now)
let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
let used = Int((cpuTime() - usedBefore) / Double(count) * 1e7)
print("\(Int(Double(count) / seconds)) requests/s, \(used / 10).\(used % 10) µs CPU/request, \(failures) failed")
try await client.shutdown()
