/// The result of inspecting a file that a request names.
package enum FileFact: Hashable, Sendable {
    /// The file can be sent. The text is there where it was asked for, and where it can be edited in place.
    case file(bytes: Int64, text: String? = nil)
    /// The file cannot be sent. The text is the reason, in a few words.
    case unusable(String)
}
