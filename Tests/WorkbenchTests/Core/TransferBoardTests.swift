import SortieHTTP
import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Tests the queue of transfers: order, priority, limit, and superseded transfers.
@Suite struct TransferBoardTests {
    private func transfer(_ number: Int, priority: RequestOptions.Priority = .normal, path: String? = nil) -> Transfer {
        var endpoint = Endpoint(target: "files/\(number)", name: "File \(number)", path: path ?? "/\(number)")
        endpoint.priority = priority
        if path != nil { (endpoint.target, endpoint.name) = ("files/same", "Same") }
        return Transfer(CallID(number), QueuedTransfer(endpoint, environment: nil, destination: "/downloads/"))
    }

    private func board(_ transfers: [Transfer], limit: Int = 2) -> TransferBoard {
        var board = TransferBoard()
        board.limit = limit
        for transfer in transfers { board.add(transfer) }
        return board
    }

    private func started(_ board: inout TransferBoard) -> [Int] { board.startNext().map(\.id.number) }

    @Test func `the number of running transfers is limited, and the next one starts when one ends`() {
        var board = board([1, 2, 3, 4].map { transfer($0) })
        #expect(started(&board) == [1, 2])
        #expect(started(&board) == [])
        #expect(board.turn(of: CallID(3)) == 1)
        #expect(board.turn(of: CallID(4)) == 2)
        board.end(CallID(1), .done)
        #expect(started(&board) == [3])
    }

    @Test func `high priority comes first, low last, equal ones in order`() {
        var board = board([transfer(1, priority: .low), transfer(2), transfer(3, priority: .high), transfer(4)], limit: 1)
        var order: [Int] = []
        while let next = started(&board).first {
            order.append(next)
            board.end(CallID(next), .done)
        }
        #expect(order == [3, 2, 4, 1])
    }

    @Test func `a transfer that was moved up starts earlier than others`() {
        var board = board([1, 2, 3].map { transfer($0) }, limit: 1)
        board.move(CallID(3), by: -1)
        board.move(CallID(3), by: -1)
        board.move(CallID(3), by: -1)
        #expect(started(&board) == [3])
    }

    @Test func `a paused transfer frees its slot for another`() {
        var board = board([1, 2].map { transfer($0) }, limit: 1)
        #expect(started(&board) == [1])
        board.change(CallID(1)) { $0.phase = .paused }
        #expect(started(&board) == [2])
        board.change(CallID(1)) { $0.phase = .queued }
        #expect(started(&board) == [])
        #expect(board.turn(of: CallID(1)) == 1)
    }

    @Test func `S2.35 a newer transfer of the same file replaces a waiting one`() {
        var board = board([transfer(1), transfer(2, path: "/same"), transfer(3)], limit: 1)
        #expect(started(&board) == [1])
        board.add(transfer(4, path: "/same"))
        #expect(board.active.map(\.id.number) == [1, 4, 3])
        #expect(board[CallID(2)]?.phase == .ended(.superseded))
    }

    @Test func `S2.35 a newer transfer of a running file supersedes it immediately`() {
        var board = board([transfer(1, path: "/same"), transfer(2)], limit: 1)
        #expect(started(&board) == [1])
        board.add(transfer(3, path: "/same"))
        #expect(started(&board) == [3])
        #expect(board[CallID(1)]?.phase == .cancelling)
        #expect(started(&board) == [])
    }

    @Test func `unfinished transfers are stored, and ended ones only if they can be resumed`() {
        var board = board([1, 2, 3, 4, 5].map { transfer($0) }, limit: 8)
        _ = board.startNext()
        board.change(CallID(1)) { $0.phase = .paused }
        board.end(CallID(2), .failed("the connection broke", isResumable: true))
        board.end(CallID(3), .failed("404 Not Found", isResumable: false))
        board.end(CallID(4), .cancelled(keepsPart: true))
        #expect(board.kept.map(\.endpoint.name) == ["File 1", "File 5", "File 2"])
    }

    @Test func `the number of transfers is limited`() {
        var board = board((1...100).map { transfer($0) }, limit: 200)
        for number in 1...100 { board.end(CallID(number), .done) }
        #expect(board.ended.count == TransferBoard.endedLimit)
        #expect(board.ended.first?.id == CallID(100))
    }
}
