import Glibc
import Networking

// swift run -c release Benchmarks requests URL [COUNT] [IN-FLIGHT]
let arguments = CommandLine.arguments.dropFirst()
guard arguments.first == "requests", let text = arguments.dropFirst().first else {
    print("usage: Benchmarks requests URL [COUNT] [IN-FLIGHT]")
    exit(2)
}
let count = arguments.dropFirst(2).first.flatMap { Int($0) } ?? 20_000
let inFlight = arguments.dropFirst(3).first.flatMap { Int($0) } ?? 64
try await RequestBenchmark(url: HTTPURL(parsing: text), count: count, inFlight: inFlight).run()
