import SortieNetworking

/// Sends many small GETs through `Client`, with a constant number of requests in flight.
struct RequestBenchmark {
    let url: HTTPURL
    let count: Int
    let inFlight: Int

    func run() async throws {
        let client = Client(.init(channelLimits: [url.origin: inFlight]))
        let request = Request(url: url)
        // Warms up the connection pool and the code, as in a running program.
        _ = try await client.send(request)
        let clock = ContinuousClock()
        var failures = 0
        let duration = await clock.measure {
            await withTaskGroup(of: Int.self) { group in
                for worker in 0..<inFlight {
                    let share = count / inFlight + (worker < count % inFlight ? 1 : 0)
                    group.addTask {
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
        print("\(count) requests, \(inFlight) in flight: \(Int(Double(count) / seconds)) requests/s, \(failures) failed")
        await client.shutDown()
    }
}
