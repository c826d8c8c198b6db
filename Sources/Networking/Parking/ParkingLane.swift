internal import DequeModule
internal import Model

/// The requests of one service that wait for the network, oldest first; only the oldest is ever out.
struct ParkingLane {
    struct Place {
        let id: RequestID
        let bytes: Int64
        /// Called when it is this request's turn; nil while it is out or has not begun to wait.
        var go: (@Sendable () -> Void)?
    }

    private(set) var places: Deque<Place> = []
    /// Failures in a row of the oldest one.
    var failures = 0
    /// Whether the oldest one had no way out of this machine.
    var needsNetwork = false
    /// When the oldest one is tried again.
    var alarm: Alarms.ID?

    var isEmpty: Bool { places.isEmpty }
    var bytes: Int64 { places.reduce(0) { $0 + $1.bytes } }
    var head: RequestID? { places.first?.id }

    /// Which place `id` has, from 0.
    func index(of id: RequestID) -> Int? {
        places.firstIndex { $0.id == id }
    }

    /// Puts a request at the end.
    mutating func append(_ place: Place) {
        places.append(place)
    }

    /// Notes that a request waits for its turn.
    mutating func wait(_ id: RequestID, go: @escaping @Sendable () -> Void) {
        if let index = index(of: id) { places[index].go = go }
    }

    /// The oldest one's turn, if it waits for it.
    mutating func takeTurn() -> (@Sendable () -> Void)? {
        guard !places.isEmpty else { return nil }
        defer { places[0].go = nil }
        return places[0].go
    }

    /// Takes a request out; returns whether it was the oldest.
    mutating func remove(_ id: RequestID) -> Bool {
        guard let index = index(of: id) else { return false }
        places.remove(at: index)
        return index == 0
    }
}
