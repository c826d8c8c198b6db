/// Why a download restarts from its first byte.
public enum RestartReason: String, Hashable, Sendable, CaseIterable {
    case changed, changedLength, otherDownload, damagedPart, damagedManifest, otherDestination, noValidator, rangesIgnored, badRange, encoded,
        laterStart,
        unsatisfiable, conditionRefused, overlapDiffers, tooLong, digest, asked

    /// The reason as text for display.
    public var text: String {
        switch self {
        case .changed: "the file on the server is another one now"
        case .changedLength: "the file on the server has another length now"
        case .otherDownload: "the part that was there belongs to another URL"
        case .damagedPart: "the part that was there is not what was written"
        case .damagedManifest: "what was noted about the part cannot be read"
        case .otherDestination: "what was noted about the part names another file"
        case .noValidator: "the server gives nothing by which the file could be recognized"
        case .rangesIgnored: "the server sends the whole file only"
        case .badRange: "the server's answer does not say which part it is"
        case .encoded: "the server sent a part in an encoding"
        case .laterStart: "the server sent a later part than was asked for"
        case .unsatisfiable: "the server has no such part"
        case .conditionRefused: "the server does not know the condition"
        case .overlapDiffers: "bytes that came twice differ"
        case .tooLong: "more came than was announced"
        case .digest: "the digest is wrong"
        case .asked: "as asked"
        }
    }
}
