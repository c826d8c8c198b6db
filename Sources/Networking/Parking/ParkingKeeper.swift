public import Model

/// Keeps what waits for the network over the end of the program (S3.16).
///
/// What it is told must be durable when it returns: then nothing is lost and nothing is sent twice, whenever the program is killed.
public protocol ParkingKeeper: Sendable {
    /// A request waits, for the first time or again.
    func keep(_ id: RequestID, _ notice: ParkingNotice) throws

    /// A request that waits is about to be sent.
    func willSend(_ id: RequestID) throws

    /// A request waits no longer: it was answered, given up or cancelled.
    func forget(_ id: RequestID) throws
}
