/// Quotes words of a command line.
enum ShellWord {
    /// `text` as one word of a POSIX shell, in single quotes where it needs them (POSIX.1-2017, Shell §2.2.2).
    static func quoted(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte) || "-_./:@%+,=".utf8.contains(byte)
        }
        return isPlain && !text.isEmpty ? text : "'\(text.replacing("'", with: #"'\''"#))'"
    }
}
