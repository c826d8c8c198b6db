internal import SortieNetworking

extension CommandCall {
    /// Prints the events of a call on standard error with `-v`; nil without.
    func verboseObserver(_ output: OutputOptions) -> (@Sendable (CallEvent) -> Void)? {
        guard output.verbose else { return nil }
        return { [errors = program.errors, redaction] event in
            for line in CallLines(redaction: redaction.current).lines(of: event) { errors.line(line) }
        }
    }
}
