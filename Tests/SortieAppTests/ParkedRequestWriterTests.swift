import Foundation
import SortieHTTP
import Support
import Testing
import WorkspaceModel

@testable import SortieApp
@testable import SortieStorage

/// Tests that waiting requests are stored without a delay of other calls.
@Suite struct ParkedRequestWriterTests {
    @Test func `calls go on while requests are written, and all changes are on the disk at the end`() async throws {
        let folder = try TemporaryFolder()
        let (written, isFree, ends) = (Watched<[[String]]>([]), Watched(false), Watched<[Bool]>([]))
        let writer = ParkedRequestWriter(try ParkedStore(workspace: "/work/demo", stateFolder: folder.path)) { requests in
            written.change { $0.append(requests.map(\.id)) }
            let isEnded = isFree.block(within: .seconds(30)) { $0 }
            ends.change { $0.append(isEnded) }
        }
        let calls = (1...3 as ClosedRange<UInt64>).map { RequestID(high: 0, low: $0) }
        func note(_ number: Int) {
            let date = Date(timeIntervalSince1970: Double(number))
            writer.note(
                calls[number],
                ParkedRequest(
                    id: "\(number)", endpoint: Endpoint(target: "shop/a", name: "a", method: .post, path: "/"), environment: nil, since: date,
                    expires: date, reason: ""))
        }
        func notice(_ number: Int) -> ParkingNotice {
            let date = Date(timeIntervalSince1970: Double(number))
            return ParkingNotice(reason: "refused", since: date, expires: date + 60)
        }
        note(0)
        let notices = (0...2).map(notice)
        async let first: Void = writer.keep(calls[0], notices[0])
        try await written.wait("the first write", within: .seconds(300)) { $0.isEmpty ? nil : () }
        // These calls would wait for the disk if the write held their lock.
        note(1)
        note(2)
        writer.ended(RequestID(high: 0, low: 9))
        async let second: Void = writer.keep(calls[1], notices[1])
        async let third: Void = writer.keep(calls[2], notices[2])
        isFree.change { $0 = true }
        _ = try await (first, second, third)
        #expect(written.current.first == ["0"] && written.current.last == ["0", "1", "2"], "\(written.current)")
        #expect(!ends.current.contains(false))
    }
}
