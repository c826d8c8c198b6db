/// What is known of a file that a request names, without having read it.
public enum FileFact: Hashable, Sendable {
    /// It can be sent.
    case file(bytes: Int64)
    /// It cannot; a few words say why.
    case unusable(String)
}
