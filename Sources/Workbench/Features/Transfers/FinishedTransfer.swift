/// An ended call with a large body.
struct FinishedTransfer: Hashable, Sendable {
    enum Outcome: Hashable, Sendable {
        case done, cancelled
        case failed(String)
    }

    var id: CallID
    var target: String
    var name: String
    var isUpload: Bool
    var bytes: Int64
    var seconds: Double
    var outcome: Outcome
}
