import SortieBase
import Testing
import WorkspaceModel

@testable import Interchange

/// Tests the remedies in reports of imports.
struct ImportRemedyTests {
    @Test(arguments: ImportRemedy.allCases) func `a remedy of the workbench names no command, no option and no key of a file`(remedy: ImportRemedy) {
        let text = ImportRemedy.workbenchText(of: "x: it is not imported; \(remedy.text)")
        #expect(text.hasPrefix("x: it is not imported; ") && !text.contains(remedy.text), "\(text)")
        for code in ["sortie ", " -", "--", "{", ".yaml", ": of", "auth:"] { #expect(!text.contains(code), "\(text)") }
    }

    @Test(arguments: [
        ("curl http://h/ --netrc", "--netrc: enter the user and the password on the Auth tab"),
        ("curl http://h/ --limit-rate 5k", "set it as Upload rate on the Options tab, or in the form of the download"),
        ("curl http://h/ -o out.txt", "-o out.txt: only the output of curl; Save in Response writes the body to a file"),
        ("curl http://h/ --speed-limit 5", "set Idle timeout on the Options tab"),
    ])
    func `what an option of curl asked for is named in words of the workbench`(command: String, text: String) throws {
        let report = try CurlImport.workspace(from: ImportSource(name: "input", bytes: Array(command.utf8))).report
        let reasons = report.entries.map { ImportRemedy.workbenchText(of: $0.reason) }
        #expect(reasons.contains { $0.contains(text) }, "\(reasons)")
    }
}
