import SortieTerminal
import Testing

struct RectTests {
    private let rect = Rect(column: 2, row: 1, width: 10, height: 4)

    @Test func `a rectangle is split into parts that cover it`() {
        #expect(rect.split(leftWidth: 3).left == Rect(column: 2, row: 1, width: 3, height: 4))
        #expect(rect.split(leftWidth: 3).right == Rect(column: 5, row: 1, width: 7, height: 4))
        #expect(rect.split(topHeight: 1).bottom == Rect(column: 2, row: 2, width: 10, height: 3))
        #expect(rect.split(bottomHeight: 1).bottom == Rect(column: 2, row: 4, width: 10, height: 1))
    }

    @Test func `a split beyond its width uses all of it`() {
        #expect(rect.split(leftWidth: 99).left == rect)
        #expect(rect.split(leftWidth: 99).right.isEmpty)
        #expect(rect.split(topHeight: -1).top.isEmpty)
    }

    @Test func `an inset leaves the inside of a box`() {
        #expect(rect.inset() == Rect(column: 3, row: 2, width: 8, height: 2))
        #expect(rect.inset(by: 2).isEmpty)
    }

    @Test func `a rectangle contains its cells and no others`() {
        #expect(rect.contains(Point(column: 2, row: 1)) && rect.contains(Point(column: 11, row: 4)))
        #expect(!rect.contains(Point(column: 12, row: 4)) && !rect.contains(Point(column: 11, row: 5)))
    }

    @Test func `an intersection is the common part`() {
        #expect(rect.intersection(Rect(column: 0, row: 0, width: 4, height: 2)) == Rect(column: 2, row: 1, width: 2, height: 1))
        #expect(rect.intersection(Rect(column: 50, row: 0, width: 4, height: 2)).isEmpty)
    }
}
