import Support

/// The curl of this machine, an HTTP client that is not ours.
func curl(_ arguments: String..., input: String = "") async throws -> ProcessRun {
    try await ProcessRun.run("/usr/bin/curl", ["-sS", "--max-time", "60"] + arguments, input: input, within: .seconds(75))
}
