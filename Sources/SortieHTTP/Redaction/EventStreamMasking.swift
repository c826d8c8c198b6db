/// Masks a stream of events (WHATWG HTML §9.2) event by event: the `data:` lines of one event form one text, which is usually JSON.
struct EventStreamMasking {
    package let redaction: Redaction

    /// Writes the stream in pieces.
    package func mask(_ bytes: UnsafeRawBufferPointer, afterEach: () -> Void, into write: (UnsafeRawBufferPointer) -> Void) {
        var start = 0
        var written = 0
        var released = 0
        var payloads: [Range<Int>] = []
        // The offsets of the next occurrences, searched again only after they have been passed.
        var feed = bytes.firstIndex(of: 0x0A, in: 0..<bytes.count) ?? bytes.count
        var carriage = bytes.firstIndex(of: 0x0D, in: 0..<bytes.count) ?? bytes.count
        while start < bytes.count {
            if feed < start { feed = bytes.firstIndex(of: 0x0A, in: start..<bytes.count) ?? bytes.count }
            if carriage < start { carriage = bytes.firstIndex(of: 0x0D, in: start..<bytes.count) ?? bytes.count }
            let end = min(feed, carriage)
            if bytes[start..<end].starts(with: Redaction.eventStart) { payloads.append(start + Redaction.eventStart.count..<end) }
            let isEventEnd = end == start || end - written > Redaction.window
            start = min(bytes.count, end + 1)
            if isEventEnd || start == bytes.count {
                mask(bytes, written..<start, payloads, into: write)
                written = start
                payloads = []
            }
            if start - released >= Redaction.window {
                released = start
                afterEach()
            }
        }
    }

    private func mask(
        _ bytes: UnsafeRawBufferPointer, _ event: Range<Int>, _ payloads: [Range<Int>], into write: (UnsafeRawBufferPointer) -> Void
    ) {
        let lines = LineMasking(redaction: redaction, readsNames: false)
        var written = event.lowerBound
        for (range, replacement) in found(bytes, payloads) {
            if written < range.lowerBound { write(bytes[rebased: written..<range.lowerBound]) }
            replacement.withUnsafeBytes { write($0) }
            written = range.upperBound
        }
        guard written < event.upperBound else { return }
        let rest = bytes[rebased: written..<event.upperBound]
        // The payloads are already masked.
        payloads.isEmpty ? lines.mask(rest, afterEach: {}, into: write) : write(rest)
    }

    /// The replacements in the text of an event.
    private func found(_ bytes: UnsafeRawBufferPointer, _ payloads: [Range<Int>]) -> [(Range<Int>, [UInt8])] {
        guard !payloads.isEmpty else { return [] }
        var text: [UInt8] = []
        var starts: [Int] = []
        for payload in payloads {
            starts.append(text.count)
            text += bytes[payload]
            text.append(0x0A)
        }
        let first = text.first { $0 > 0x20 }
        guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else {
            // Other text is masked line by line.
            let lines = LineMasking(redaction: redaction, readsNames: true)
            return payloads.compactMap { payload in
                let masked = lines.masked(bytes[rebased: payload])
                return masked.elementsEqual(bytes[payload]) ? nil : (payload, masked)
            }
        }
        var result: [(Range<Int>, [UInt8])] = []
        for (range, replacement) in text.withUnsafeBytes({ redaction.replacements(inJSON: $0) }) {
            // A value may span several lines; the mask replaces the part on the first line.
            var replacement = replacement
            for (payload, start) in zip(payloads, starts) {
                let part = range.clamped(to: start..<start + payload.count)
                guard !part.isEmpty else { continue }
                result.append((payload.lowerBound + part.lowerBound - start..<payload.lowerBound + part.upperBound - start, replacement))
                replacement = []
            }
        }
        return result
    }
}
