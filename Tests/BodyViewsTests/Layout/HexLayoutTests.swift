import BodyViews
import SortieBase
import Support
import Testing

struct HexLayoutTests {
    @Test func `a row has an offset, two groups of eight bytes and the characters`() {
        let view = BodyFixtures.view([UInt8](0x3C...0x4F) + [0x00], "image/png")
        #expect(
            view.text == """
                00000000  3c 3d 3e 3f 40 41 42 43  44 45 46 47 48 49 4a 4b  <=>?@ABCDEFGHIJK
                00000010  4c 4d 4e 4f 00                                    LMNO.
                """)
        #expect(view.all[1].sourceRange == 16..<21)
        #expect(view.row(containing: 20) == 1 && view.row(containing: 21) == nil)
    }

    @Test(arguments: 1...16)
    func `the characters are in the same column in a short row`(count: Int) {
        let row = BodyFixtures.view([UInt8](repeating: 0x7A, count: count), "image/png").all[0]
        #expect(row.text.count == 60 + count)
        #expect(row.text.hasSuffix("  " + String(repeating: "z", count: count)))
    }

    @Test(arguments: [(80, 16), (76, 16), (75, 8), (43, 8), (42, 4), (10, 4)])
    func `the number of bytes in a row depends on the width`(cells: Int, width: Int) {
        #expect(HexLayout.width(fitting: cells) == width)
    }

    @Test func `a narrow row has eight or four bytes`() {
        var view = BodyFixtures.view([UInt8](0x41...0x4C), "image/png")
        view.setHexWidth(8)
        #expect(
            view.text == """
                00000000  41 42 43 44 45 46 47 48  ABCDEFGH
                00000008  49 4a 4b 4c              IJKL
                """)
        #expect(view.row(containing: 8) == 1)
        view.setHexWidth(4)
        #expect(view.text.split(separator: "\n").map(String.init)[1] == "00000004  45 46 47 48  EFGH")
        #expect(view.rowCount == 3 && view.isComplete)
    }
}
