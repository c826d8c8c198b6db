import Foundation
import Support

/// What a test reads of the record of `sortie bench --json`.
struct BenchRecord: Decodable {
    struct Load: Decodable {
        let model: String
        let concurrency: Int
    }

    struct Latency: Decodable {
        let mean: Double
        let min: Double
        let p50: Double
        let p90: Double
        let p99: Double
        let p999: Double
        let max: Double
    }

    struct Bar: Decodable {
        let from: Double
        let to: Double
        let count: Int
    }

    struct Status: Decodable, Hashable {
        let status: Int
        let count: Int
    }

    struct GRPCStatus: Decodable, Hashable {
        let status: Int
        let name: String
        let count: Int
    }

    struct Failure: Decodable {
        let reason: String
        let count: Int
        let message: String
    }

    struct Bytes: Decodable {
        let sent: Int
        let received: Int
    }

    struct Connections: Decodable {
        let opened: Int
        let reused: Int
    }

    let state: String
    let load: Load
    let duration: Double
    let calls: Int
    let failed: Int
    let cancelled: Int
    let notStarted: Int
    let callsPerSecond: Double
    @Nullable var latency: Latency?
    @Nullable var serviceTime: Latency?
    let histogram: [Bar]
    let statuses: [Status]
    let grpcStatuses: [GRPCStatus]
    let failures: [Failure]
    let bytes: Bytes
    let connections: Connections
    let attempts: Int

    init(_ run: ProcessRun) throws {
        self = try JSONDecoder().decode(Self.self, from: Data(run.outputBytes))
    }
}
