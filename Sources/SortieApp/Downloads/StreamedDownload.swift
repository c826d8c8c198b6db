internal import Foundation
internal import SortieBase
internal import SortieNetworking
internal import SortieStorage

/// A download whose file is written to a device, a pipe or a descriptor, which is not replaced.
///
/// The file is complete before its first byte is written, so that a response with an error or another digest does not reach the reader. It is in a private
/// temporary folder until then; nothing is resumed.
final class StreamedDownload {
    /// The device, the pipe or the descriptor, as typed.
    let path: String
    private let folder: String

    /// The path of `-o` where that is a device, a pipe or a descriptor; nil for a file and a folder.
    static func path(_ output: String?, in program: ProgramContext) -> String? {
        guard let output else { return nil }
        let path = output == "-" ? "/dev/stdout" : output
        return OutputFile.isStream(path, program.folders) ? path : nil
    }

    /// Creates the temporary folder.
    init(to path: String, in program: ProgramContext) throws {
        self.path = path
        var template = Array("\(program.temporaryFolder)/sortie-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw CommandFailure(
                .file, "no folder can be created in \(program.temporaryFolder): \(String(cString: strerror(errno)).lowercased())",
                hint: "set TMPDIR to a writable directory")
        }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        // What remains is in the temporary folder of the system.
        do { try FileManager.default.removeItem(atPath: folder) } catch {}
    }

    /// Directs a download to the temporary folder.
    func configure(_ download: inout Download) {
        download.destination = .file("\(folder)/download")
        download.connections = 1
        download.collision = .replace
    }

    /// Writes the file when it is complete.
    ///
    /// - Parameter deadline: When the wait for the reader of the device or the pipe ends; nil without a time limit.
    func write(_ file: String, in program: ProgramContext, until deadline: ContinuousClock.Instant?) throws {
        let descriptor = open(file, O_RDONLY | O_CLOEXEC)
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0 else {
            throw CommandFailure(.file, "\(file) cannot be read: \(String(cString: strerror(errno)).lowercased())")
        }
        defer { close(descriptor) }
        let body = MappedFile(descriptor: descriptor, count: Int(status.st_size))?.view
        guard body != nil || status.st_size == 0 else {
            throw CommandFailure(.file, "\(file) cannot be read: \(String(cString: strerror(errno)).lowercased())")
        }
        try OutputFile.write(body ?? BodyBytes([]), to: path, program.folders, program.outputWaits) { deadline.map { $0 <= .now } ?? false }
    }
}
