import BodyViews
import SortieBase
import SortieWorkbench
import Support
import Testing

@testable import SortieApp

/// Tests the filter of a body that still arrives.
struct BodyFilterWorkTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func filter(_ body: String, isFinal: Bool = false, after continuation: FilterContinuation? = nil) throws -> FilterUpdate {
        let view = BodyView.make(bytes: BodyBytes(Array(body.utf8)), contentType: "application/x-ndjson", isFinal: isFinal)
        var updates: [FilterUpdate] = []
        BodyWork.filter(
            try JSONQuery(".n"), in: view, after: continuation?.results as? FilterResults, spoolFolder: folder.path, Cancellation()
        ) { updates.append($0) }
        return try #require(updates.last)
    }

    private func text(_ update: FilterUpdate) -> String { update.bytes.string(in: 0..<update.bytes.count) }

    private func lines(_ numbers: Range<Int>) -> String { numbers.map { "{\"n\":\($0)}\n" }.joined() }

    @Test func `the results of later messages follow those of earlier ones, up to the end`() throws {
        let first = try filter(lines(1..<3) + "{\"n\":")
        #expect(text(first) == "1\n2\n" && !first.isFinal && first.continuation != nil)
        let second = try filter(lines(1..<5), after: first.continuation)
        #expect(text(second) == "1\n2\n3\n4\n" && second.count == 4)
        let last = try filter(lines(1..<6), isFinal: true, after: second.continuation)
        #expect(text(last) == "1\n2\n3\n4\n5\n" && last.isFinal && last.continuation == nil)
    }

    @Test(arguments: [11..<12, 11..<40]) func `another body, as after a retry, is filtered from its start`(numbers: Range<Int>) throws {
        let first = try filter(lines(1..<9))
        let other = try filter(lines(numbers), after: first.continuation)
        #expect(text(other) == numbers.map { "\($0)\n" }.joined() && other.count == numbers.count)
    }

    @Test func `large results go on in their file`() throws {
        let long = String(repeating: "x", count: 4000)
        func body(_ count: Int) -> String { (0..<count).map { "{\"n\":\"\($0) \(long)\"}\n" }.joined() }
        let first = try filter(body(300))
        let second = try filter(body(400), isFinal: true, after: first.continuation)
        #expect(second.count == 400 && second.bytes.count > 400 * 4000)
        #expect(text(second).split(separator: "\n").map { $0.prefix { $0 != " " } } == (0..<400).map { "\"\($0)" })
    }
}
