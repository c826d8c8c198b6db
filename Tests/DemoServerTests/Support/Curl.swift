import Foundation
import Support

/// Runs the system's curl, to test with an independent client.
struct Curl: Sendable {
    /// The exit code of curl: 0, or the reason why there is no complete response.
    let exitCode: Int32
    /// The status of the last response; 0 when there was none.
    let status: Int
    /// The number of connections that the last transfer opened; 0 when it reused that of the previous transfer.
    let connections: Int
    /// The header blocks of all responses, including redirects.
    let headerText: String
    let body: Data

    var text: String { String(decoding: body, as: UTF8.self) }

    /// The values of this header field in the last response.
    func headers(_ name: String) -> [String] {
        let last = headerText.components(separatedBy: "\r\n\r\n").last { !$0.isEmpty } ?? ""
        return last.components(separatedBy: "\r\n").compactMap { line in
            guard let colon = line.firstIndex(of: ":"), line[..<colon].lowercased() == name.lowercased() else { return nil }
            return line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        }
    }

    func header(_ name: String) -> String? { headers(name).first }

    /// The value at a path like `result.items.0.id` of a JSON body, as text.
    func json(_ path: String) -> String? {
        var value: Any? = try? JSONSerialization.jsonObject(with: body)
        for part in path.split(separator: ".") {
            if let object = value as? [String: Any] {
                value = object[String(part)]
            } else if let array = value as? [Any], let index = Int(part), array.indices.contains(index) {
                value = array[index]
            } else {
                return nil
            }
        }
        if let array = value as? [Any] { return "\(array.count) items" }
        return value.map { "\($0)" }
    }

    /// - Parameter arguments: The command-line arguments; the default time limit is 300 seconds.
    static func run(_ arguments: String..., input: Data? = nil) async throws -> Curl {
        try await run(arguments, input: input)
    }

    static func run(_ arguments: [String], input: Data? = nil) async throws -> Curl {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("demo-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { _ = try? FileManager.default.removeItem(at: folder) }
        let headers = folder.appendingPathComponent("headers")
        let body = folder.appendingPathComponent("body")
        if let input { try input.write(to: folder.appendingPathComponent("input")) }
        let own = [
            "curl", "--silent", "--max-time", "300", "--noproxy", "*", "--dump-header", headers.path, "--output", body.path,
            "--write-out", "\n%{http_code} %{num_connects}\n",
        ]
        let (code, output) = try await launch(own + arguments, in: folder)
        let numbers = output.split(separator: "\n").last?.split(separator: " ").compactMap { Int($0) } ?? []
        return Curl(
            exitCode: code, status: numbers.first ?? 0, connections: numbers.last ?? 0,
            headerText: String(decoding: contents(headers), as: UTF8.self), body: contents(body))
    }

    private static func contents(_ file: URL) -> Data {
        FileManager.default.contents(atPath: file.path) ?? Data()
    }

    /// Not by Foundation's Process, which crashes where this process has more than about 1,360 open descriptors.
    private static func launch(_ arguments: [String], in folder: URL) async throws -> (Int32, String) {
        let run = try await ProcessRun.run("/usr/bin/env", arguments, directory: folder.path)
        guard case .exited(let code) = run.status else { throw CocoaError(.executableLoad, userInfo: [NSDebugDescriptionErrorKey: run.description]) }
        return (Int32(code), run.output)
    }
}
