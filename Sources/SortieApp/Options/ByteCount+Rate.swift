internal import SortieBase

extension ByteCount {
    /// Parses the value of `--limit-rate`.
    init(rate text: String) throws {
        guard let size = ByteCount(parsing: text), size.bytes > 0 else {
            throw CommandFailure(
                .usage, "--limit-rate \(text) is not a number of bytes", hint: "write a number with an ending like kB, MB or MiB")
        }
        self = size
    }
}
