/// Replaces a value, and returns the one before.
@inlinable
package func exchangeValue<Value>(of place: inout Value, with new: Value) -> Value {
    let old = place
    place = new
    return old
}
