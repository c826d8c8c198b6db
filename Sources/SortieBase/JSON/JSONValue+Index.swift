extension JSONValue {
    /// The element of an array, from 0; nil for another value and outside the array.
    public subscript(index: Int) -> JSONValue? {
        guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
        return elements[index]
    }
}
