/// A file with private content that was there before and that other users of the machine can read.
enum ReadableFile {
    /// The warning, with the remedy.
    static func warning(_ path: String) -> String {
        "other users of this machine can read \(path), which is appended to; chmod 600 \(ShellWord.quoted(path)) makes it private"
    }
}

extension StandardError {
    /// Warns that a file which is appended to is not private.
    static func warnReadable(_ path: String) {
        line("sortie: warning: \(ReadableFile.warning(path))")
    }
}
