import ArgumentParser
import Testing

@testable import SortieApp

@Suite struct UsageHintTests {
    private let program = ProgramContext.withoutStreams()

    @Test(arguments: [
        (["secret", "gt"], "did you mean sortie secret get?"), (["cache", "lst"], "did you mean sortie cache list?"),
        (["token", "lst"], "did you mean sortie token list?"), (["contract", "chek"], "did you mean sortie contract check?"),
        (["env", "imprt"], "did you mean sortie env import?"), (["self", "instal"], "did you mean sortie self install?"),
        (["bundle", "pck"], "did you mean sortie bundle pack?"), (["trust", "lst"], "did you mean sortie trust --list?"),
        (["trust", "revoke"], "did you mean sortie trust --revoke?"), (["token", "everything"], "it has: get, list, forget"),
    ])
    func `a misspelt subcommand is an error that names the right one`(arguments: [String], hint: String) throws {
        let failure = try #require(throws: CommandFailure.self) { try UsageHint.requireSubcommand(arguments, in: program) }
        #expect(failure.kind == .usage && failure.hint == hint, "\(failure)")
    }

    @Test(arguments: [
        ["bundle", "tmp"], ["bundle", "./pck"], ["trust", "/tmp"], ["trust"], ["cache", "list"], ["history", "shw"], ["list", "x"], [],
    ])
    func `a folder, a filter and a subcommand are taken as they are`(arguments: [String]) throws {
        try UsageHint.requireSubcommand(arguments, in: program)
    }

    @Test(
        arguments: [
            (["history", "shw", "last"], "sortie history show"), (["history", "repaly", "last"], "sortie history replay"),
            (["history", "dif", "last", "last-1"], "sortie history diff"), (["history", "exprot"], "sortie history export"),
            (["history", "list", "shw"], nil), (["history", "status:404"], nil), (["history", "-shw"], nil), (["history", "porcelain"], nil),
            (["history", "shop"], nil), (["history", "api"], nil),
            (["history"], nil), (["list", "shw"], nil),
        ] as [([String], String?)])
    func `a filter without results can be a misspelt subcommand of history`(arguments: [String], command: String?) {
        #expect(UsageHint.historyCommand(for: arguments) == command)
    }

    @Test(arguments: [
        (["send", "http://h/", "name=tea", "size:=2"], "--json-body '{\"name\": …}', or --form name=VALUE"),
        (["send", "http://h/", "page==2"], "-q page=VALUE"), (["send", "http://h/", "X-Trace:7"], "-H 'X-Trace: VALUE'"),
        (["send", "POST", "http://h/"], "the method is an option: sortie send -X POST URL"),
        (["send"], "for example: sortie send shop/orders/list -q page=2"), (["bench"], "for example: sortie bench "),
        (["history", "show"], "for example: sortie history show last"), (["send", "http://h/", "-4"], "--resolve HOST:ADDRESS"),
        (["send", "http://h/", "--limit-rate", "1MB"], "sortie download URL --limit-rate RATE"), (["-V"], "sortie --version"),
        (["send", "http://h/", "--referer", "x"], "-H 'Referer: URL'"), (["send", "http://h/", "--tlsv1.2"], "--min-tls 1.2"),
    ])
    func `arguments in the notation of another program, and missing ones, have a remedy`(arguments: [String], part: String) throws {
        let error = try #require(throws: (any Error).self) { _ = try SortieCommand.parseAsRoot(arguments) }
        let hint = UsageHint.remedy(for: SortieCommand.message(for: error), arguments)
        #expect(hint?.contains(part) == true, "\(SortieCommand.message(for: error)): \(hint ?? "none")")
    }

    @Test func `an error of a typed URL names no key of a file`() {
        #expect(CommandFailure(ofTypedURL: "path: “http://” has no host").message == "“http://” has no host")
        let undefined = CommandFailure(ofTypedURL: "path: nothing defines {{nope}}; define it in the environment, or under variables: of a file")
        #expect(undefined.message == "nothing defines {{nope}}" && undefined.hint == "give it with --var nope=VALUE")
    }
}
