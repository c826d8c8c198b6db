internal import ArgumentParser

/// How many calls `sortie bench` makes, and when.
struct BenchOptions: ParsableArguments {
    @Option(
        // Negative numbers are rejected with the range of the values.
        name: [.customShort("n"), .customLong("requests")], parsing: .unconditional,
        help: ArgumentHelp("The number of calls; by default 200, or with --for as many as the time allows.", valueName: "n"))
    var requests: Int?

    @Option(
        name: [.customShort("c"), .customLong("concurrency")], parsing: .unconditional,
        help: ArgumentHelp("The maximum number of calls at a time, in place of the limits of the service; by default 10.", valueName: "n"))
    var concurrency: Int?

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("Start calls for this time, such as 30s or 5m; with -n, whichever ends first.", valueName: "time"))
    var time: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Start this number of calls per second, and measure each from its intended start, so that a stall of the server counts for all calls that "
                + "it delays (coordinated omission). Without it, a call starts when another one has ended.", valueName: "calls"))
    var rate: Double?

    /// The largest values of the options; a number beyond them is a slip, or needs several machines.
    private enum Most {
        static let requests = 1_000_000_000
        static let concurrency = 10_000
        static let rate = 1_000_000.0
    }

    /// The plan of the options.
    ///
    /// - Throws: A usage error that names the option and the remedy.
    func plan() throws -> BenchPlan {
        if let requests, !(1...Most.requests).contains(requests) {
            throw CommandFailure(.usage, "-n \(requests) is not a number of calls", hint: "write a number from 1 to \(Most.requests)")
        }
        if let concurrency, !(1...Most.concurrency).contains(concurrency) {
            let more = concurrency > Most.concurrency ? "; sortie export TARGET --as locust distributes more over several machines" : ""
            throw CommandFailure(
                .usage, "-c \(concurrency) is not a number of calls at a time", hint: "write a number from 1 to \(Most.concurrency)" + more)
        }
        if let requests, let concurrency, concurrency > requests {
            throw CommandFailure(
                .usage, "-c \(concurrency) is more than the \(requests) calls of -n", hint: "write -c \(requests) or fewer, or a larger -n")
        }
        if let rate, !(rate > 0 && rate <= Most.rate) {
            throw CommandFailure(
                .usage, "--rate \(BenchText.number(rate)) is not a number of calls per second",
                hint: "write a number above 0, up to \(BenchText.number(Most.rate)); 0.5 is a call every two seconds")
        }
        let duration = try time.map { try Duration($0, ofOption: "--for") }
        let count = requests ?? (duration == nil ? Self.defaultRequests : nil)
        return BenchPlan(
            requests: count, duration: duration, concurrency: concurrency ?? min(Self.defaultConcurrency, count ?? Self.defaultConcurrency),
            rate: rate)
    }

    private static let defaultRequests = 200
    private static let defaultConcurrency = 10
}
