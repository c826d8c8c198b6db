internal import SortieBase

extension BodySearch {
    /// Performs one step of a search in the source bytes; see `BodyView.find`.
    func step(in bytes: BodyBytes, _ encoding: TextEncoding, from offset: Int, forward: Bool, budget: Int) -> SearchStep {
        let pattern = BytePattern(needle, ignoringCase: isCaseInsensitive, encoding: encoding)
        let budget = max(budget, BytePattern.block)
        return bytes.withUnsafeBytes { buffer in
            guard let pattern else { return .notFound }
            return forward
                ? pattern.after(offset, in: buffer, budget: budget) : pattern.before(offset, in: buffer, budget: budget)
        }
    }
}
