/// An index of a body's rows that is built in steps, so that the first rows can be shown at once.
///
/// The bytes are handed in with every call and may have grown since the last one; what was there before must not have changed.
public protocol BodyLayout: Sendable {
    /// Rows known so far; the last of them may still grow while the body arrives.
    var rowCount: Int { get }

    /// How far the scan was allowed to look so far, in bytes.
    var examined: Int { get }

    /// Whether every row is known, or a problem ended the scan.
    var isComplete: Bool { get }

    /// What makes this layout impossible, found so far.
    var problem: BodyProblem? { get }

    /// Memory the index takes, in bytes.
    var memoryUse: Int { get }

    /// Continues the scan over about `budget` more bytes.
    ///
    /// - Parameter isFinal: whether no more bytes will come.
    mutating func advance(over bytes: BodyBytes, budget: Int, isFinal: Bool)

    /// The rows of a range, cut to those known; spans inside `marks` (sorted) are split off and flagged.
    func rows(_ range: Range<Int>, of bytes: BodyBytes, marking marks: [BodyMark]) -> [BodyRow]

    /// The row that shows a byte, or the one before it; nil when the scan has not come so far.
    func row(containing offset: Int, of bytes: BodyBytes) -> Int?
}
