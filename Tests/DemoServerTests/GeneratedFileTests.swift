import Foundation
import Testing

@testable import SortieDemoServer

@Suite struct GeneratedFileTests {
    private func read(_ file: GeneratedFile, _ range: Range<Int>, step: Int) -> Data {
        var data = Data()
        while data.count < range.count {
            data += file.bytes(at: range.lowerBound + data.count, limit: min(step, range.count - data.count))
        }
        return data
    }

    @Test(arguments: [0..<10, 7..<200_000, 65_530..<65_560, 131_070..<131_080, 199_990..<200_000])
    func `a range has the same bytes as the complete file`(range: Range<Int>) {
        let file = GeneratedFile(size: 200_000, seed: 5)
        let whole = read(file, 0..<200_000, step: 1 << 20)
        #expect(whole.count == 200_000)
        #expect(read(file, range, step: 1000) == whole.subdata(in: range))
    }

    @Test func `blocks and seeds differ`() {
        let file = GeneratedFile(size: 200_000, seed: 5)
        #expect(file.bytes(at: 0, limit: 65_536) != file.bytes(at: 65_536, limit: 65_536))
        #expect(file.bytes(at: 100, limit: 100) != GeneratedFile(size: 200_000, seed: 6).bytes(at: 100, limit: 100))
    }
}
