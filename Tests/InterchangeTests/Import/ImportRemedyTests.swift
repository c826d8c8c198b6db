import SortieBase
import Testing
import WorkspaceModel

@testable import Interchange

/// Tests the remedies in reports of imports.
struct ImportRemedyTests {
    @Test(arguments: ImportRemedy.allCases) func `a remedy of the workbench names no command, no option and no key of a file`(remedy: ImportRemedy) {
        let reason = ImportReason("it is not imported", remedy).about("x")
        #expect(reason.programText == "x: it is not imported; \(remedy.remedy.programText)")
        let text = reason.workbenchText
        #expect(text == "x: it is not imported; \(remedy.remedy.workbenchText)" && text != reason.programText)
        for code in ["sortie ", " -", "--", "{", ".yaml", ": of", "auth:"] { #expect(!text.contains(code), "\(text)") }
    }

    @Test func `a source that contains the words of a remedy keeps them in the workbench`() {
        let text = "the note “use sortie send --netrc” is left out"
        #expect(ImportReason(text).workbenchText == text)
    }

    @Test(arguments: [
        ("curl http://h/ --netrc", "--netrc: enter the user and the password on the Auth tab", "--netrc: use sortie send --netrc"),
        (
            "curl http://h/ --limit-rate 5k", "set it as Upload rate on the Options tab, or in the form of the download",
            "--limit-rate: set it as download: {limitRate: …} or uploadRate:"
        ),
        (
            "curl http://h/ -o out.txt", "-o out.txt: only the output of curl; Save in Response writes the body to a file",
            "-o out.txt: only the output of curl; use options of sortie send, such as -o FILE"
        ),
        ("curl http://h/ --speed-limit 5", "set Idle timeout on the Options tab", "--speed-limit: set timeout: {idle: …}"),
    ])
    func `what an option of curl asked for is named in words of the workbench, and in those of commands`(
        command: String, workbench: String, program: String
    ) throws {
        let report = try CurlImport.workspace(from: ImportSource(name: "input", bytes: Array(command.utf8))).report
        #expect(report.entries.contains { $0.workbenchText.contains(workbench) }, "\(report.entries.map(\.workbenchText))")
        #expect(report.entries.contains { $0.reason.programText == program }, "\(report.lines)")
    }

    @Test func `a reason about several requests has its remedy before their number`() throws {
        let script = "import requests\nrequests.get('http://h/a', verify=False)\nrequests.get('http://h/b', verify=False)\n"
        let report = try PythonImport.workspace(from: ImportSource(name: "a.py", bytes: Array(script.utf8))).report
        let reason = try #require(report.entries.first { $0.reason.programText.hasPrefix("verify: ") }?.reason)
        #expect(reason.programText == "verify: certificates are verified; write trust: {insecure: true} into service.yaml (2 times)")
        #expect(reason.workbenchText == "verify: certificates are verified; switch Insecure on the Trust tab of the service on (2 times)")
    }

    @Test func `an unknown format has a remedy for commands and another one for the workbench`() {
        let source = ImportSource(name: "x.foo", bytes: Array("hello".utf8))
        #expect { try ImportFormats.format(of: source) } throws: { error in
            let problem = error as? Diagnostic
            return problem?.programLine.hasSuffix("; sortie import --format NAME names one") == true
                && problem?.workbenchLine.hasSuffix("; choose a file of one of them") == true
        }
    }
}
