package import SortieBase

/// An index of the rows of a body that is built in steps, so that the first rows can be shown at once.
///
/// Every call receives the bytes, which may have grown since the previous call; earlier bytes must not have changed.
package protocol BodyLayout: Sendable {
    /// The number of known rows; the last one may still grow while the body arrives.
    var rowCount: Int { get }

    /// At least the number of the last known line, also where lines are folded.
    var lineCount: Int { get }

    /// The number of bytes that the scan has covered.
    var examined: Int { get }

    /// Whether every row is known, or a problem ended the scan.
    var isComplete: Bool { get }

    /// The problem that ended the scan; nil without one.
    var problem: BodyProblem? { get }

    /// The memory of the index, in bytes.
    var memoryUse: Int { get }

    /// Continues the scan over about `budget` more bytes.
    ///
    /// - Parameter isFinal: Whether no more bytes will arrive.
    mutating func advance(over bytes: BodyBytes, budget: Int, isFinal: Bool)

    /// The rows of a range, clamped to the known ones; spans inside `marks`, which are sorted, are separate and flagged.
    func rows(_ range: Range<Int>, of bytes: BodyBytes, marking marks: [BodyMark]) -> [BodyRow]

    /// The row that shows a byte, or the preceding row; nil when the scan has not reached the byte.
    func row(containing offset: Int, of bytes: BodyBytes) -> Int?
}

extension BodyLayout {
    /// The number of rows, each of which begins at most one line.
    package var lineCount: Int { rowCount }
}
