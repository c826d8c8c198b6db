/// nginx, or the openssl that makes its certificates, did not do its part.
public struct NginxFailure: Error, CustomStringConvertible {
    /// What did not work, and the way out where there is one.
    public let sentence: String
    /// What the program itself said.
    public let log: String

    /// The sentence, then the log.
    public var description: String { log.isEmpty ? sentence : "\(sentence):\n\(log)" }
}
