import Glibc
import SortieNetworking

// swift run -c release Benchmarks requests URL [COUNT] [IN-FLIGHT]
// swift run -c release Benchmarks history FOLDER [COUNT]
// history-kills.py runs Benchmarks keep FOLDER
let arguments = CommandLine.arguments.dropFirst()
let place = arguments.dropFirst().first
let count = arguments.dropFirst(2).first.flatMap { Int($0) }
switch (arguments.first, place) {
case ("requests", let text?):
    let inFlight = arguments.dropFirst(3).first.flatMap { Int($0) } ?? 64
    try await RequestBenchmark(url: HTTPURL(parsing: text), count: count ?? 20_000, inFlight: inFlight).run()
case ("history", let folder?):
    try HistoryBenchmark(count: count ?? 100_000, folder: folder).run()
case ("keep", let folder?):
    try HistoryBenchmark(count: 0, folder: folder).keep()
default:
    print("usage: Benchmarks requests URL [COUNT] [IN-FLIGHT]\n       Benchmarks history FOLDER [COUNT]\n       Benchmarks keep FOLDER")
    exit(2)
}
