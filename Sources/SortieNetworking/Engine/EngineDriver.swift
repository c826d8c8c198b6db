internal import CLinux

/// The work of the engine in each pass of its loop.
final class EngineDriver: EventLoop.Driver {
    func handle(ready: UnsafeBufferPointer<epoll_event>) {
        LoopClock.tick()
        // The loop owns the buffer, which outlives the call; the closure runs synchronously.
        nonisolated(unsafe) let ready = ready
        Engine.assumeIsolated {
            let queue = TransferQueue.shared
            for event in ready { queue.ready(event.data.fd, events: event.events) }
            queue.collectFinished()
        }
    }

    func prepareToWait() -> Int32 {
        Engine.assumeIsolated {
            // Before sending, so that the receivers run on another core meanwhile.
            CompletionBatch.shared.give()
            let next = min(TransferQueue.shared.prepareToWait(), TimerQueue.shared.ring(now: MonotonicClock.now))
            // Delivers what ended since then, before the loop sleeps.
            CompletionBatch.shared.give()
            guard next != .max else { return -1 }
            let now = MonotonicClock.now
            // Rounded up, because a pass before the deadline finds nothing to do.
            return next <= now ? 0 : Int32(clamping: (next - now + 999_999) / 1_000_000)
        }
    }
}
