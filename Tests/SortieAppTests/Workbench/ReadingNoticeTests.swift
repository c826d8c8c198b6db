import Foundation
import Glibc
import SortieTerminal
import Testing

@testable import SortieApp
@testable import Support

/// Tests the line that is displayed while a large workspace is read.
@Suite struct ReadingNoticeTests {
    /// What is written to a terminal next.
    private func read(_ terminal: Int32) async throws -> String {
        try await onNewThread {
            var waited = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
            try #require(poll(&waited, 1, 300_000) == 1)
            var bytes = [UInt8](repeating: 0, count: 1000)
            let count = Glibc.read(terminal, &bytes, bytes.count)
            return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        }
    }

    @Test func `a line names the workspace that is read, until the screen follows`() async throws {
        let terminal = try TerminalDevice(columns: 80, rows: 24)
        let notice = ReadingNotice("/work", on: StandardError(OutputDescriptor(terminal.slave, waits: OutputWaits()), terminal: "xterm"))
        #expect(try await read(terminal.master) == "Reading /work …")
        #expect(notice.end())
        #expect(try await read(terminal.master) == "\r\u{1b}[K")
        #expect(!notice.end())
        #expect(notice.canvas(size: Size(width: 20, height: 2)).text.hasPrefix("Reading /work …"))
    }
}
