import Foundation
import Support

/// The request in the response of the demo server's echo.
struct EchoRecord: Decodable {
    struct Text: Decodable {
        let encoding: String
        let text: String
    }

    struct Part: Decodable, Equatable {
        let name: String?
        let filename: String?
        let type: String?
        let bytes: Int
    }

    let method: String
    let path: String
    let query: String
    let parameters: [[String?]]
    let headers: [[String]]
    let body: Text
    let bytes: Int
    let form: [[String?]]?
    let parts: [Part]?

    /// Parses the body that a command printed.
    init(_ run: ProcessRun) throws {
        do {
            self = try JSONDecoder().decode(EchoRecord.self, from: Data(run.outputBytes))
        } catch {
            throw ProgramSaidOtherwise("the echo of a request (\(error))", run)
        }
    }

    /// The value of a header field; nil where it was not received.
    subscript(name: String) -> String? { headers.first { $0.first?.lowercased() == name.lowercased() }?.last }
}
