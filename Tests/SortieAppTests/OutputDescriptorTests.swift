import Foundation
import Glibc
import Testing

@testable import SortieApp

/// Tests writing to readers that are slow or have stopped.
struct OutputDescriptorTests {
    enum Kind: CaseIterable {
        case pipe, socket
    }

    /// A pipe or a connection: the end to read from, and the end to write to.
    private func ends(_ kind: Kind) throws -> (reading: FileHandle, writing: FileHandle) {
        var pair: [Int32] = [-1, -1]
        let result = kind == .pipe ? pipe(&pair) : socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair)
        try #require(result == 0)
        return (FileHandle(fileDescriptor: pair[0], closeOnDealloc: true), FileHandle(fileDescriptor: pair[1], closeOnDealloc: true))
    }

    private let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0) }

    @Test(arguments: Kind.allCases) func `a slow reader gets all bytes`(kind: Kind) throws {
        let (reading, writing) = try ends(kind)
        let writer = Thread { [bytes] in
            _ = bytes.withUnsafeBytes { OutputDescriptor(writing.fileDescriptor, waits: OutputWaits()).write($0) }
            try? writing.close()
        }
        writer.start()
        #expect(try reading.readToEnd() == Data(bytes))
    }

    @Test(arguments: Kind.allCases) func `output that nobody reads is discarded after the end of the waits`(kind: Kind) throws {
        let (reading, writing) = try ends(kind)
        let waits = OutputWaits()
        let output = OutputDescriptor(writing.fileDescriptor, waits: waits)
        waits.end()
        #expect(bytes.withUnsafeBytes { output.write($0) } == 0)
        #expect(output.isDiscarding)
        withExtendedLifetime(reading) {}
    }

    @Test func `the rest of a cancelled output is not written`() throws {
        let (reading, writing) = try ends(.pipe)
        let output = OutputDescriptor(writing.fileDescriptor, waits: OutputWaits())
        var pieces = 0
        let code = bytes.withUnsafeBytes { bytes in
            output.write(bytes) {
                pieces += 1
                return pieces > 3
            }
        }
        #expect(code == 0 && !output.isDiscarding)
        try writing.close()
        #expect(try reading.readToEnd()?.count == 3 * Int(PIPE_BUF))
    }

    @Test func `a closed reader is an error`() throws {
        let (reading, writing) = try ends(.socket)
        try reading.close()
        let output = OutputDescriptor(writing.fileDescriptor, waits: OutputWaits())
        #expect(bytes.withUnsafeBytes { output.write($0) } == EPIPE)
        #expect(output.isDiscarding)
    }
}
