import Glibc
import SortieNetworking

// swift run -c release Benchmarks requests URL [COUNT] [IN-FLIGHT] [CERTIFICATE]
// swift run -c release Benchmarks stream URL [BYTES-PER-SECOND] [1.1|2]; 0 for a fast consumer
// swift run -c release Benchmarks history FOLDER [COUNT]
// kills.py history runs Benchmarks keep FOLDER
let arguments = CommandLine.arguments.dropFirst()
let place = arguments.dropFirst().first
let count = arguments.dropFirst(2).first.flatMap { Int($0) }
switch (arguments.first, place) {
case ("requests", let text?):
    let inFlight = arguments.dropFirst(3).first.flatMap { Int($0) } ?? 64
    try await RequestBenchmark(
        url: HTTPURL(parsing: text), count: count ?? 20_000, inFlight: inFlight, certificate: arguments.dropFirst(4).first
    ).run()
case ("stream", let text?):
    let version = arguments.dropFirst(3).first.flatMap { RequestOptions.Version(rawValue: $0) } ?? .automatic
    try await StreamBenchmark(url: HTTPURL(parsing: text), rate: count.flatMap { $0 > 0 ? $0 : nil }, version: version).run()
case ("history", let folder?):
    try HistoryBenchmark(count: count ?? 100_000, folder: folder).run()
case ("keep", let folder?):
    try HistoryBenchmark(count: 0, folder: folder).keep()
default:
    print(
        """
        usage: Benchmarks requests URL [COUNT] [IN-FLIGHT] [CERTIFICATE]
               Benchmarks stream URL [BYTES-PER-SECOND] [1.1|2]
               Benchmarks history FOLDER [COUNT]
               Benchmarks keep FOLDER
        """)
    exit(2)
}
