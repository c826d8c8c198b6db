import Support

extension ProcessRun {
    /// The lines of standard error.
    var errorLines: [String] { errorOutput.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init) }

    /// Whether the command failed as specified in the contract: this exit code, nothing on stdout, and on stderr the line `sortie: NAME:
    /// message`, followed by at most one indented hint.
    func failed(_ code: Int32, _ name: String) -> Bool {
        guard status == .exited(code), outputBytes.isEmpty, errorOutput.hasSuffix("\n") else { return false }
        guard let first = errorLines.first, first.hasPrefix("sortie: \(name): "), first.count > "sortie: \(name): ".count else {
            return false
        }
        return errorLines.count <= 2 && errorLines.dropFirst().allSatisfy { $0.hasPrefix("  ") && $0.count > 3 }
    }

    /// The hint; empty where there is none.
    var hint: String { errorLines.dropFirst().first.map { String($0.drop { $0 == " " }) } ?? "" }
}
