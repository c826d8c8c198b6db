public import SortieHTTP

/// Stores parked requests so that they survive the end of the program.
///
/// Each change must be durable when the method returns. Then no request is lost and none is sent twice, even if the
/// program is killed.
public protocol ParkedRequestArchive: Sendable {
    /// Records that a request waits, for the first time or again.
    func keep(_ id: RequestID, _ notice: ParkingNotice) async throws

    /// Records that a waiting request is about to be sent.
    func willSend(_ id: RequestID) async throws

    /// Removes a request that no longer waits because it received a response, expired or was cancelled.
    func forget(_ id: RequestID) async throws
}
