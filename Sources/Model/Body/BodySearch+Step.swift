extension BodySearch {
    /// One step of a search; see `BodyView.find`.
    func step(in bytes: BodyBytes, _ encoding: TextEncoding, from offset: Int, forward: Bool, budget: Int) -> SearchStep {
        let pattern = BytePattern(needle, ignoringCase: isCaseInsensitive, encoding: encoding)
        let budget = max(budget, BytePattern.block)
        return bytes.withUnsafeBytes { buffer in
            guard let pattern else { return .notFound }
            return forward
                ? pattern.after(offset, in: buffer, budget: budget) : pattern.before(offset, in: buffer, budget: budget)
        }
    }

    /// The matches that touch a range, in order, none overlapping the one before; at most a thousand.
    func matches(in range: Range<Int>, of bytes: BodyBytes, _ encoding: TextEncoding) -> [Range<Int>] {
        guard let pattern = BytePattern(needle, ignoringCase: isCaseInsensitive, encoding: encoding) else { return [] }
        return bytes.withUnsafeBytes { buffer in
            var found: [Range<Int>] = []
            var offset = max(0, range.lowerBound - pattern.longest + 1)
            let end = min(buffer.count, range.upperBound + pattern.longest - 1)
            while found.count < 1000, let match = pattern.first(in: buffer, offset..<max(offset, end)) {
                if match.overlaps(range) { found.append(match) }
                offset = match.upperBound
            }
            return found
        }
    }
}
