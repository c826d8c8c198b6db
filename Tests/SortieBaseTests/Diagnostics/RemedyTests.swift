import SortieBase
import Testing

/// Tests the words of remedies.
@Suite struct RemedyTests {
    private static let all: [Diagnostic.Remedy] = [
        .protectedFile, .permission(workspace: "/w"), .unlistedUse, .storedSecret(name: "pw", stored: "shop-pw"), .promptedValue(label: "Code"),
        .capturedValue(name: "id"), .missingSnapshot, .listedTargets, .webSocketConnection("api/chat"), .secretInFile, .loginOfDescription,
        .fetchedDescription, .damagedExchange(7), .importOfFiles("api.http"), .text(program: "sortie x", workbench: "press x"),
    ]

    @Test(arguments: all) func `the words of the workbench name no command and no option, and differ from those of commands`(
        remedy: Diagnostic.Remedy
    ) {
        let text = remedy.workbenchText
        #expect(!text.isEmpty && text != remedy.programText)
        for code in ["sortie ", " -", "--", "{", ".yaml"] { #expect(!text.contains(code), "\(text)") }
    }

    @Test func `a problem is a line with its place and its remedy, for commands and for the workbench`() {
        let problem = Diagnostic(SourceLocation(file: "runs/a.yaml", line: 2, column: 3), "there is no endpoint “a”", remedy: .listedTargets)
        #expect(problem.programLine == "runs/a.yaml:2:3: there is no endpoint “a”; sortie list shows all")
        #expect(problem.programSentence == "there is no endpoint “a”; sortie list shows all")
        #expect(problem.workbenchLine == "runs/a.yaml:2:3: there is no endpoint “a”; Services lists all")
        #expect(problem.workbenchSentence == "there is no endpoint “a”; Services lists all")
        #expect(Diagnostic(.nowhere, "it is wrong").programLine == "it is wrong")
    }
}
