internal import SortieNetworking

extension TrafficCapture {
    /// The recording of a command with `--capture`; nil without it.
    static func begin(_ path: String?, of client: Client, masking redaction: LiveRedaction, in program: ProgramContext) throws -> TrafficCapture? {
        guard let path else { return nil }
        guard path != "-" else {
            throw CommandFailure(.usage, "--capture writes to a file, not to stdout", hint: "sortie history export --har - writes to stdout")
        }
        do {
            let capture = try TrafficCapture(of: client, into: program.path(path), masking: { redaction.current })
            if capture.isReadableByOthers { program.errors.warnReadable(path) }
            return capture
        } catch { throw CommandFailure(error) }
    }

    /// Ends the recording.
    ///
    /// - Throws: When not everything was written.
    func finish() throws {
        if stop() == nil, let failure { throw CommandFailure(failure) }
    }
}
