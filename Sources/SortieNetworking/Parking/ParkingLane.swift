internal import DequeModule
internal import SortieHTTP

/// The parked requests of one service, oldest first.
///
/// Only the oldest is ever in flight.
struct ParkingLane {
    struct Place {
        let id: RequestID
        let bytes: Int64
        /// Called at the request's turn; nil while it is in flight and before it waits.
        var go: (@Sendable () -> Void)?
    }

    private(set) var places: Deque<Place> = []
    /// The number of consecutive failures of the oldest request.
    var failures = 0
    /// Whether the oldest request failed because this machine has no route to its server.
    var needsNetwork = false
    /// The timer of the next attempt of the oldest request.
    var alarm: TimerQueue.ID?

    var isEmpty: Bool { places.isEmpty }
    var bytes: Int64 { places.reduce(0) { $0 + $1.bytes } }
    var head: RequestID? { places.first?.id }

    /// The position of `id`, from 0.
    func index(of id: RequestID) -> Int? {
        places.firstIndex { $0.id == id }
    }

    /// Appends a request.
    mutating func append(_ place: Place) {
        places.append(place)
    }

    /// Sets the callback of a request that waits for its turn.
    mutating func wait(_ id: RequestID, go: @escaping @Sendable () -> Void) {
        if let index = index(of: id) { places[index].go = go }
    }

    /// Takes the callback of the oldest request; nil if it does not wait.
    mutating func takeTurn() -> (@Sendable () -> Void)? {
        guard !places.isEmpty else { return nil }
        defer { places[0].go = nil }
        return places[0].go
    }

    /// Removes a request; returns whether it was the oldest.
    mutating func remove(_ id: RequestID) -> Bool {
        guard let index = index(of: id) else { return false }
        places.remove(at: index)
        return index == 0
    }
}
