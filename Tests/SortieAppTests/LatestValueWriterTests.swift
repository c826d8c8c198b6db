import Support
import Testing

@testable import SortieApp

/// Tests that the latest value is stored.
@Suite struct LatestValueWriterTests {
    private struct DiskIsFull: Error {}

    @Test func `a write that failed is tried again at the end`() throws {
        let saved = Watched<[Int]>([])
        let writer = LatestValueWriter("test", kept: 0, mailbox: try Mailbox()) { value in
            saved.change { $0.append(value) }
            if saved.current.count == 1 { throw DiskIsFull() }
        }
        writer.keep(7)
        #expect(writer.finish() == nil)
        #expect(saved.current == [7, 7])
    }
}
