/// Why a download restarts from its first byte.
public enum RestartReason: String, Hashable, Sendable, CaseIterable {
    case changed, changedLength, otherDownload, damagedPart, damagedManifest, otherDestination, noValidator, rangesIgnored, badRange, encoded,
        laterStart,
        unsatisfiable, conditionRefused, overlapDiffers, tooLong, digest, asked

    /// The reason as text for display.
    public var text: String {
        switch self {
        case .changed: "the file on the server has changed"
        case .changedLength: "the length of the file on the server has changed"
        case .otherDownload: "the existing part belongs to another URL"
        case .damagedPart: "the existing part was modified"
        case .damagedManifest: "the manifest of the part cannot be read"
        case .otherDestination: "the manifest of the part belongs to another file"
        case .noValidator: "the server sends no validator for the file"
        case .rangesIgnored: "the server sends only the whole file"
        case .badRange: "the server's response does not state its range"
        case .encoded: "the server sent an encoded range"
        case .laterStart: "the server sent a later range than requested"
        case .unsatisfiable: "the server does not have this range"
        case .conditionRefused: "the server does not support the condition"
        case .overlapDiffers: "bytes that were received twice differ"
        case .tooLong: "more bytes arrived than announced"
        case .digest: "the digest does not match"
        case .asked: "as requested"
        }
    }
}
