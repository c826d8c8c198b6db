import Foundation
import Glibc
import HistoryModel
import SortieBase
import SortieStorage
import Support
import Testing

/// Tests that the HTTP Archive file is complete at any time (S3.3).
@Suite struct HARFileTests {
    private let folder: TemporaryFolder
    private var path: String { "\(folder.path)/all.har" }

    init() throws { folder = try TemporaryFolder() }

    /// The numbers of the file's entries; the file must be valid JSON.
    private func numbers() throws -> [Int] {
        let all = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: path))) as? [String: Any]
        let log = try #require(all?["log"] as? [String: Any])
        #expect(log["version"] as? String == "1.2")
        #expect((log["creator"] as? [String: String])?["name"] == "Sortie")
        return try #require(log["entries"] as? [[String: Int]]).compactMap { $0["n"] }
    }

    private func open() throws -> HARFile { try HARFile(path: path, version: "1") }

    private func write(_ numbers: ClosedRange<Int>) throws {
        let file = try open()
        for number in numbers { try file.append(["n": .integer(number)]) }
    }

    @Test func `a pipe gets a complete archive, and one without a reader is refused`() throws {
        #expect(mkfifo(path, 0o600) == 0)
        #expect(throws: WorkspaceError.self) { try open() }
        let reader = Glibc.open(path, O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        try write(1...2)
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(reader, &bytes, bytes.count)
        let all = try JSONSerialization.jsonObject(with: Data(bytes.prefix(max(count, 0)))) as? [String: [String: Any]]
        #expect((all?["log"]?["entries"] as? [[String: Int]])?.compactMap { $0["n"] } == [1, 2])
    }

    @Test func `the file is complete after each entry, and entries are appended when it is opened again`() throws {
        do {
            let file = try open()
            #expect(try numbers() == [])
            try file.append(["n": .integer(1)])
            #expect(try numbers() == [1])
            try file.append(["n": .integer(2)])
        }
        #expect(try numbers() == [1, 2])
        let again = try open()
        #expect(again.count == 2)
        try again.append(["n": .integer(3)])
        #expect(try numbers() == [1, 2, 3])
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
    }

    @Test func `a file truncated anywhere by a crash is complete after it is opened, with every entry before the cut`() throws {
        try write(1...3)
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        for length in 0..<whole.count {
            try whole.prefix(length).write(to: URL(fileURLWithPath: path))
            let text = String(decoding: whole.prefix(length), as: UTF8.self)
            let left = (1...3).filter { text.contains("{\"n\": \($0)}") }
            do {
                let file = try open()
                #expect(file.count == left.count, "cut at \(length)")
            }
            #expect(try numbers() == left, "cut at \(length)")
            try write(9...9)
            #expect(try numbers() == left + [9], "cut at \(length)")
        }
    }

    @Test(arguments: [
        "{\"log\": {}}", "notes", "{\"log\": {\"version\": \"1.2\", \"creator\": \"x\"}",
        // Archives in the formats of other programs: on one line, with a trailing line break or without.
        HAR.opening + "{\"name\": \"x\", \"version\": \"1\"}, \"entries\": []}}", HAR.opening + "{\"name\": \"x\"}, \"entries\": [{\"n\": 1}]}}\n",
    ]) func `a file in another format is not changed`(
        text: String
    ) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        let error = #expect(throws: WorkspaceError.self) { try open() }
        #expect(error?.code == .exists)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    }

    @Test func `two recordings cannot write the file at the same time`() throws {
        let first = try open()
        #expect(throws: WorkspaceError.self) { try open() }
        try first.append(["n": .integer(1)])
        #expect(try numbers() == [1])
    }
}
