internal import Interchange

/// Warns about an existing file with private content that other users of the machine can read.
enum ReadableFile {
    /// The warning, with the remedy.
    static func warning(_ path: String) -> String {
        "other users of this machine can read \(path), which is appended to; chmod 600 \(ShellQuote.quoted(path)) makes it private"
    }
}

extension StandardError {
    /// Warns that a file to which output is appended is not private.
    func warnReadable(_ path: String) {
        line("sortie: warning: \(ReadableFile.warning(path))")
    }
}
