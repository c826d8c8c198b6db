/// Why a tunnel is not open.
struct TunnelFailure: Error, Hashable, Sendable {
    /// The reason, as a clause after the name of the tunnel.
    var reason: String
    /// The remedy; nil without one.
    var hint: String?
    /// The end of what the program wrote; empty for nothing.
    var output = ""

    /// The last line that the program wrote.
    var lastLine: String? {
        output.split(whereSeparator: \.isNewline).last { !$0.allSatisfy(\.isWhitespace) }.map { String($0.drop(while: \.isWhitespace).prefix(300)) }
    }
}
