import SortieWorkbench
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

    @Test func `a value that cannot be stored is reported at once, and the same failure once`() throws {
        let mailbox = try Mailbox()
        let writer = LatestValueWriter("test", kept: 0, mailbox: mailbox) { _ in throw DiskIsFull() }
        for value in 1...3 {
            writer.keep(value)
            #expect(writer.finish() == "DiskIsFull()")
        }
        let reports = mailbox.take().filter { if case .notStored(let reason) = $0 { reason == "DiskIsFull()" } else { false } }
        #expect(reports.count == 1)
    }
}
