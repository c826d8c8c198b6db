import Testing

@testable import SortieDemoServer

@Suite struct ByteRangeTests {
    @Test(arguments: [
        ("bytes=0-9", ByteRange.part(0..<10)), ("bytes=90-", .part(90..<100)), ("bytes=-5", .part(95..<100)),
        ("bytes=-500", .part(0..<100)),
        ("bytes=50-1000", .part(50..<100)), ("bytes=99-99", .part(99..<100)), ("bytes=100-", .unsatisfiable),
        ("bytes=-0", .unsatisfiable),
        ("bytes=99999999999999999999-", .unsatisfiable),
    ])
    func `a single range is resolved against the length (RFC 9110 14.1.2)`(header: String, expected: ByteRange) {
        #expect(ByteRange(header, length: 100) == expected)
    }

    @Test(
        arguments: [nil, "", "bytes", "bytes=", "bytes=-", "bytes=5-2", "bytes=1-2,4-5", "lines=1-2", "bytes=a-b", "bytes=1-2-3"]
            as [String?])
    func `a field that is not a single range is ignored (RFC 9110 14.2)`(header: String?) {
        #expect(ByteRange(header, length: 100) == .whole)
    }
}
