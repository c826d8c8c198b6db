import Testing

@testable import SortieBase

struct BodyBytesTests {
    @Test func `ranges are clamped to the existing bytes`() {
        let bytes = BodyBytes([1, 2, 3])
        #expect(bytes.prefix(9) == [1, 2, 3] && bytes.prefix(-1) == [])
        #expect(bytes.bytes(in: 1..<9) == [2, 3] && bytes.bytes(in: 7..<9) == [])
        #expect(bytes[2] == 3 && bytes.count == 3 && BodyBytes.empty.isEmpty)
    }

    @Test func `invalid UTF-8 is replaced by a visible character`() {
        #expect(BodyBytes([0x61, 0xFF]).string(in: 0..<2) == "a\u{FFFD}")
    }

    @Test func `only views of the same memory are equal`() {
        let bytes = BodyBytes([1])
        let copy = bytes
        #expect(bytes == copy)
        #expect(bytes != BodyBytes([1]))
    }

    @Test func `the owner is retained by the view`() {
        final class Owner: Sendable {
            let block: BodyBytes
            init(_ block: BodyBytes) { self.block = block }
        }
        let source = BodyBytes([7, 8])
        weak var weakOwner: Owner?
        var view: BodyBytes?
        do {
            let owner = Owner(source)
            weakOwner = owner
            view = source.withUnsafeBytes { buffer in
                buffer.baseAddress.map { BodyBytes(owner: owner, pointer: $0, count: buffer.count) }
            }
        }
        #expect(weakOwner != nil)
        #expect(view?.prefix(2) == [7, 8])
        view = nil
        #expect(weakOwner == nil)
    }
}
