internal import CLinux

/// What the engine does in each pass of its loop.
final class EngineDriver: EventLoop.Driver {
    func handle(ready: UnsafeBufferPointer<epoll_event>) {
        PassClock.tick()
        // The buffer is the loop's and outlives the call; the closure runs here and now.
        nonisolated(unsafe) let ready = ready
        Engine.assumeIsolated {
            let queue = TransferQueue.shared
            for event in ready { queue.ready(event.data.fd, events: event.events) }
            queue.collectFinished()
        }
    }

    func prepareToWait() -> Int32 {
        Engine.assumeIsolated {
            // Before the sending, so that those who get them work on another core meanwhile.
            Answers.shared.give()
            let next = min(TransferQueue.shared.prepareToWait(), Alarms.shared.ring(now: MonotonicClock.now))
            // What ended just now is answered, too, before the loop sleeps.
            Answers.shared.give()
            guard next != .max else { return -1 }
            let now = MonotonicClock.now
            // Rounded up: a pass before the moment would find nothing to do.
            return next <= now ? 0 : Int32(clamping: (next - now + 999_999) / 1_000_000)
        }
    }
}
