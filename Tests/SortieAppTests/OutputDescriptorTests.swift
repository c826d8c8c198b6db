import Foundation
import Glibc
import Support
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

    @Test(arguments: Kind.allCases) func `output that no process reads is discarded after the end of the waits`(kind: Kind) throws {
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
        let written = try reading.readToEnd()?.count ?? 0
        #expect(written > 0 && written < bytes.count)
    }

    @Test func `a closed reader is an error`() throws {
        let (reading, writing) = try ends(.socket)
        try reading.close()
        let output = OutputDescriptor(writing.fileDescriptor, waits: OutputWaits())
        #expect(bytes.withUnsafeBytes { output.write($0) } == EPIPE)
        #expect(output.isDiscarding)
    }

    @Test(arguments: ["a terminal", "a link to a terminal", "a pipe"])
    func `a body for a terminal has no control characters, also through its path, and for a pipe it is exact`(target: String) throws {
        var (master, terminal): (Int32, Int32) = (-1, -1)
        let result = openpty(&master, &terminal, nil, nil, nil)
        try #require(result == 0)
        let (reading, writing) = try ends(.pipe)
        let folder = try TemporaryFolder()
        let number = target == "a pipe" ? writing.fileDescriptor : terminal
        try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: "/dev/fd/\(number)")
        let body = "\u{1b}]0;title\u{7}x"
        try OutputFile.write(
            body, to: target == "a link to a terminal" ? folder.path("link") : "/dev/fd/\(number)", ProgramContext.withoutStreams().folders,
            OutputWaits())
        try writing.close()
        let shown = "␛]0;title␇x"
        let reader = target == "a pipe" ? reading : FileHandle(fileDescriptor: master, closeOnDealloc: true)
        let read = try reader.read(upToCount: target == "a pipe" ? body.utf8.count : shown.utf8.count)
        #expect(read == Data((target == "a pipe" ? body : shown).utf8))
        close(terminal)
    }

    @Test(arguments: [true, false]) func `a descriptor that becomes a file is written as one`(wasTerminal: Bool) throws {
        let folder = try TemporaryFolder()
        let log = open(folder.path("log"), O_WRONLY | O_CREAT | O_APPEND, 0o600)
        try #require(log >= 0)
        var (master, terminal): (Int32, Int32) = (-1, -1)
        if wasTerminal {
            let result = openpty(&master, &terminal, nil, nil, nil)
            try #require(result == 0)
        }
        let (reading, writing) = try ends(.socket)
        let number = wasTerminal ? terminal : writing.fileDescriptor
        let output = OutputDescriptor(number, waits: OutputWaits())
        if !wasTerminal {
            try reading.close()
            #expect(Array("lost".utf8).withUnsafeBytes { output.write($0) } == EPIPE)
        }
        try #require(dup2(log, number) == number)
        output.restart()
        for line in ["sortie: one\n", "two\n"] { #expect(Array(line.utf8).withUnsafeBytes { output.write($0) } == 0) }
        #expect(try String(contentsOfFile: folder.path("log"), encoding: .utf8) == "sortie: one\ntwo\n")
        for descriptor in [master, terminal, log] where descriptor >= 0 { close(descriptor) }
        withExtendedLifetime((reading, writing)) {}
    }
}
