/// A failure of nginx, or of openssl while creating its certificates.
public struct NginxFailure: Error, CustomStringConvertible {
    /// The reason, with the remedy if there is one.
    public let sentence: String
    /// The output of the program.
    public let log: String

    /// The reason and the output.
    public var description: String { log.isEmpty ? sentence : "\(sentence):\n\(log)" }
}
