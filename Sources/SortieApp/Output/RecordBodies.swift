internal import CLinux
internal import Foundation
internal import SortieHTTP

/// Determines where the bodies of printed JSON records are stored: in the records, or in files that the records refer to.
///
/// A record is built in memory and takes several times the size of its body, so bodies beyond a limit for all records of a command are written to
/// private files.
struct RecordBodies {
    /// The folder of the files.
    let folder: String
    /// The remaining number of body bytes for the next records.
    private var left = JSONValue.bodyLimit

    init(folder: String) { self.folder = folder }

    /// The file that contains the body of `response`; nil where the record contains it.
    ///
    /// - Throws: A ``CommandFailure`` when the file cannot be written.
    mutating func file(for response: Response?) throws -> String? {
        guard let body = response?.body, body.count > left else {
            left -= response?.body.count ?? 0
            return nil
        }
        var template = Array("\(folder)/sortie-body-XXXXXX".utf8CString)
        let descriptor = clinux_mkostemp(&template)
        let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard descriptor >= 0 else {
            throw CommandFailure(
                .file, "a file for the body cannot be created in \(folder): \(String(cString: strerror(errno)).lowercased())",
                hint: "set TMPDIR to a writable directory, or use -o FILE")
        }
        close(descriptor)
        do { try OutputFile.write(body, into: path) } catch {
            unlink(path)
            throw error
        }
        return path
    }
}
