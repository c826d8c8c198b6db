public import SortieHTTP
internal import Synchronization

/// A running download: its events, and the commands that pause and end it.
public final class DownloadTask: Sendable {
    /// The identity of the download and its requests.
    public let id: RequestID
    /// The events in order; exactly one `finished` is the last.
    ///
    /// The stream supports one consumer. A progress event that was not consumed is replaced by a newer one.
    public let events: AsyncStream<DownloadEvent>
    let control: DownloadControl
    let reporter: DownloadReporter
    private let buffer: EventBuffer<DownloadEvent>
    /// The events for a second consumer, and the task in which it receives them.
    private let delivery: (events: EventBuffer<DownloadEvent>, task: Task<Void, Never>)?
    private let content = Mutex(Content())

    private struct Content {
        var result: DownloadResult?
        var waiting: [CheckedContinuation<DownloadResult, Never>] = []
    }

    init(id: RequestID, deliver: (@Sendable (RequestID, AsyncStream<DownloadEvent>) async -> Void)? = nil) {
        self.id = id
        let delivery = deliver.map { deliver in
            let events = EventBuffer.ofDownload(dropsStates: false)
            let stream = events.stream()
            return (events: events, task: Task { await deliver(id, stream) })
        }
        self.delivery = delivery
        let buffer = EventBuffer.ofDownload()
        self.buffer = buffer
        events = buffer.stream()
        let control = DownloadControl()
        self.control = control
        reporter = DownloadReporter(control) { event in
            buffer.yield(event)
            delivery?.events.yield(event)
        }
    }

    /// The current state.
    public var state: TransferState { control.current }

    /// Pauses the download: saves the received bytes and closes the connection.
    public func pause() { follow(.pause) }

    /// Continues after a pause, or ends the wait before the next attempt.
    public func resume() { follow(.run) }

    /// Ends the download, unless the file is already being renamed.
    ///
    /// - Parameter keepsPart: Whether a later download can continue from the received bytes.
    public func cancel(keepsPart: Bool = true) { follow(.cancel(keepsPart: keepsPart)) }

    /// Passes a command to the download; `run` also ends the wait before the next attempt.
    package func follow(_ command: TransferCommand) {
        control.want(command)
        if command == .run { control.wake() }
    }

    /// The result; waits for the end of the download.
    public var result: DownloadResult {
        get async {
            await withCheckedContinuation { continuation in
                let result = content.withLock { content in
                    if content.result == nil { content.waiting.append(continuation) }
                    return content.result
                }
                if let result { continuation.resume(returning: result) }
            }
        }
    }

    /// Delivers the result after the second consumer has received it, and ends the events; called once.
    func end(_ result: DownloadResult) async {
        if let delivery {
            delivery.events.yield(.finished(result))
            delivery.events.finish()
            await delivery.task.value
        }
        let waiting = content.withLock { content in
            content.result = result
            return Swift.exchange(&content.waiting, with: [])
        }
        buffer.yield(.finished(result))
        buffer.finish()
        for waiter in waiting { waiter.resume(returning: result) }
    }
}
