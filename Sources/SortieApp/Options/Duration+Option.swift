internal import SortieBase

extension Duration {
    /// Parses the value of `--for`.
    ///
    /// - Throws: A usage error that names the option and the remedy.
    init(ofOptionFor text: String) throws {
        guard let duration = DurationText.parse(text), duration > .zero else {
            throw CommandFailure(.usage, "--for \(text) is not a time above 0", hint: DurationText.form)
        }
        self = duration
    }
}
