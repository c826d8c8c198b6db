/// An event of a HAR capture.
package enum CaptureUpdate: Hashable, Sendable {
    /// The file is open and has this number of entries.
    case began(Int)
    /// The file now has this number of entries.
    case recorded(Int)
    /// The capture failed for this reason, and nothing more is written.
    case failed(String)
    /// The capture ended; the file has this number of entries.
    case ended(Int)
}
