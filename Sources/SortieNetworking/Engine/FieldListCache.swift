/// The header fields of the last request in libcurl's notation.
///
/// Programs send the same kind of request many times, so the list is built once. Used on the engine's thread only.
final class FieldListCache {
    private var last: (options: HandleOptions, list: OptionList)?

    /// The fields of an attempt.
    ///
    /// - Parameter options: Identifies the attempts with the same fields; nil for an attempt whose list is not kept.
    func list(for spec: TransferRequest, _ options: HandleOptions?) -> OptionList {
        if let options, let last, last.options == options { return last.list }
        let list = OptionList(RequestFields(spec).lines)
        if let options { last = (options, list) }
        return list
    }
}
