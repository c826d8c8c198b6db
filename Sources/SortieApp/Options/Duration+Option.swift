internal import SortieBase

extension Duration {
    /// Parses the value of an option such as `--for`; without a unit, it is a number of seconds.
    ///
    /// - Throws: A usage error that names the option and the remedy.
    init(_ text: String, ofOption option: String) throws {
        // curl also accepts .5.
        guard let duration = DurationText.parse(text.hasPrefix(".") ? "0\(text)" : text), duration > .zero else {
            throw CommandFailure(.usage, "\(option) \(text) is not a time above 0", hint: DurationText.form)
        }
        self = duration
    }
}
