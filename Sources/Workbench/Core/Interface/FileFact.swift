/// The result of inspecting a file that a request names, without reading it.
package enum FileFact: Hashable, Sendable {
    /// The file can be sent.
    case file(bytes: Int64)
    /// The file cannot be sent. The text is the reason, in a few words.
    case unusable(String)
}
