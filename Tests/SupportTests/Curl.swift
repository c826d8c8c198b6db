import Support

/// Runs this machine's curl, an independent HTTP client.
func curl(_ arguments: String..., input: String = "") async throws -> ProcessRun {
    try await ProcessRun.run("/usr/bin/curl", ["-sS", "--max-time", "300"] + arguments, input: input, within: .seconds(310))
}
