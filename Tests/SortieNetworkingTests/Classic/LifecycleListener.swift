import SortieClassic
import Support

@testable import SortieNetworking

/// Records the stages of operations by closures and as their delegate, without repetitions.
final class LifecycleListener: Sendable {
    let heard = Watched<[String]>([])

    func note(_ what: String) { heard.change { if $0.last != what { $0.append(what) } } }

    /// Closures that record under a prefix.
    func callbacks<Step, Value, Failure>(
        _ prefix: String = "", progress: @escaping @Sendable (Step) -> String = { _ in "progress" }
    ) -> LifecycleCallbacks<Step, Value, Failure> {
        var callbacks = LifecycleCallbacks<Step, Value, Failure>()
        callbacks.willStart = { self.note(prefix + "willStart") }
        callbacks.willSuspend = { self.note(prefix + "willSuspend") }
        callbacks.didSuspend = { self.note(prefix + "didSuspend") }
        callbacks.progress = { self.note(prefix + progress($0)) }
        callbacks.willStop = { self.note(prefix + "willStop") }
        callbacks.success = { _ in self.note(prefix + "success") }
        callbacks.failure = { self.note("\(prefix)failure \(Self.name(of: $0))") }
        callbacks.didStop = { self.note(prefix + "didStop") }
        return callbacks
    }

    static func name(of error: any Error) -> String { (error as? NetworkError).map { "\($0.code)" } ?? "\(error)" }

    func wait(for what: String) async throws {
        try await heard.wait(what, within: .seconds(300)) { $0.contains(what) ? () : nil }
    }
}

extension LifecycleListener: DownloadDelegate {
    func downloadWillStart(_ id: RequestID) { note("delegate willStart") }
    func downloadWillSuspend(_ id: RequestID) { note("delegate willSuspend") }
    func downloadDidSuspend(_ id: RequestID) { note("delegate didSuspend") }
    func download(_ id: RequestID, progressed progress: DownloadProgress) { note("delegate progress") }
    func downloadWillStop(_ id: RequestID) { note("delegate willStop") }
    func download(_ id: RequestID, succeeded result: DownloadResult) { note("delegate success") }
    func download(_ id: RequestID, failed error: NetworkError) { note("delegate failure \(error.code)") }
    func downloadDidStop(_ id: RequestID) { note("delegate didStop") }
}

extension LifecycleListener: BatchDelegate, ChainDelegate {
    typealias Value = Int

    func batchWillStart(_ batch: Batch<Int>) { note("delegate willStart") }
    func batch(_ batch: Batch<Int>, progressed progress: BatchProgress) { note("delegate \(progress.finished)/\(progress.total)") }
    func batchWillStop(_ batch: Batch<Int>) { note("delegate willStop") }
    func batch(_ batch: Batch<Int>, succeeded result: BatchResult<Int>) { note("delegate success") }
    func batch(_ batch: Batch<Int>, failed error: any Error) { note("delegate failure \(Self.name(of: error))") }
    func batchDidStop(_ batch: Batch<Int>) { note("delegate didStop") }

    func chainWillStart(_ chain: Chain<Int>) { note("delegate willStart") }
    func chain(_ chain: Chain<Int>, progressed progress: BatchProgress) { note("delegate \(progress.finished)/\(progress.total)") }
    func chainWillStop(_ chain: Chain<Int>) { note("delegate willStop") }
    func chain(_ chain: Chain<Int>, succeeded results: [Int]) { note("delegate success") }
    func chain(_ chain: Chain<Int>, failed error: any Error) { note("delegate failure \(Self.name(of: error))") }
    func chainDidStop(_ chain: Chain<Int>) { note("delegate didStop") }
}
