import SortieHTTP
import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Tests the queue of transfers: order, priority, limit, and superseded transfers.
@Suite struct TransferOrderTests {
    private func transfer(_ number: Int, priority: RequestOptions.Priority = .normal, path: String? = nil) -> QueuedTransfer {
        var endpoint = Endpoint(target: "files/\(number)", name: "File \(number)", path: path ?? "/\(number)")
        endpoint.priority = priority
        if path != nil { (endpoint.target, endpoint.name) = ("files/same", "Same") }
        return QueuedTransfer(endpoint, environment: nil, destination: "/downloads/")
    }

    private func calls(_ transfers: [QueuedTransfer], limit: Int = 2) -> Operations {
        var calls = Operations()
        calls.queue.limit = limit
        for transfer in transfers { add(transfer, to: &calls) }
        return calls
    }

    private func add(_ transfer: QueuedTransfer, to calls: inout Operations) {
        let id = calls.begin(transfer.endpoint)
        _ = calls.enqueue(id, transfer)
    }

    private func started(_ calls: inout Operations) -> [Int] { calls.startTransfers().map(\.id.number) }

    @Test func `the number of running transfers is limited, and the next one starts when one ends`() {
        var calls = calls([1, 2, 3, 4].map { transfer($0) })
        #expect(started(&calls) == [1, 2])
        #expect(started(&calls) == [])
        #expect(calls.turn(of: CallID(3)) == 1)
        #expect(calls.turn(of: CallID(4)) == 2)
        calls.end(CallID(1), .done)
        #expect(started(&calls) == [3])
    }

    @Test func `high priority comes first, low last, equal ones in order`() {
        var calls = calls([transfer(1, priority: .low), transfer(2), transfer(3, priority: .high), transfer(4)], limit: 1)
        var order: [Int] = []
        while let next = started(&calls).first {
            order.append(next)
            calls.end(CallID(next), .done)
        }
        #expect(order == [3, 2, 4, 1])
    }

    @Test func `a transfer that was moved up starts earlier than others`() {
        var calls = calls([1, 2, 3].map { transfer($0) }, limit: 1)
        calls.move(CallID(3), by: -1)
        calls.move(CallID(3), by: -1)
        calls.move(CallID(3), by: -1)
        #expect(started(&calls) == [3])
    }

    @Test func `a paused transfer frees its slot for another`() {
        var calls = calls([1, 2].map { transfer($0) }, limit: 1)
        #expect(started(&calls) == [1])
        _ = calls.follow(.pause, CallID(1))
        #expect(started(&calls) == [2])
        _ = calls.follow(.wait, CallID(1))
        #expect(started(&calls) == [])
        #expect(calls.turn(of: CallID(1)) == 1)
    }

    @Test func `S2.35 a newer transfer of the same file replaces a waiting one`() {
        var calls = calls([transfer(1), transfer(2, path: "/same"), transfer(3)], limit: 1)
        #expect(started(&calls) == [1])
        add(transfer(4, path: "/same"), to: &calls)
        #expect(calls.transfers.map(\.id.number) == [1, 4, 3])
        #expect(calls.endedTransfers.map(\.state) == [.superseded])
    }

    @Test func `S2.35 a newer transfer of a running file supersedes it immediately`() {
        var calls = calls([transfer(1, path: "/same"), transfer(2)], limit: 1)
        #expect(started(&calls) == [1])
        add(transfer(3, path: "/same"), to: &calls)
        #expect(started(&calls) == [3])
        #expect(calls[CallID(1)]?.call.machine.command == .supersede && calls[CallID(1)]?.call.isCancelling == true)
        #expect(started(&calls) == [])
    }

    @Test func `unfinished transfers are stored, and ended ones only if they can be resumed`() {
        var calls = calls([1, 2, 3, 4, 5].map { transfer($0) }, limit: 8)
        _ = calls.startTransfers()
        _ = calls.follow(.pause, CallID(1))
        calls.end(CallID(2), .failed(NetworkError(.connectionLost, "the connection broke"), isResumable: true))
        calls.end(CallID(3), .failed(NetworkError(.status, "404 Not Found"), isResumable: false))
        calls.end(CallID(4), .cancelled(keepsPart: true))
        #expect(calls.storedTransfers.map(\.endpoint.name) == ["File 1", "File 5", "File 2"])
    }

    @Test func `the number of transfers is limited`() {
        var calls = calls((1...100).map { transfer($0) }, limit: 200)
        for number in 1...100 { calls.end(CallID(number), .done) }
        #expect(calls.endedTransfers.count == TransferOrder.endedLimit)
        #expect(calls.endedTransfers.first?.id == CallID(100))
    }
}
