internal import ArgumentParser
internal import Foundation
internal import HistoryModel

/// Selects the exchanges of the history for a command.
struct HistoryFilterOptions: ParsableArguments {
    /// The syntax of filters, for the help of commands.
    static let discussion = """
        A filter has words and terms, all of which must match: status:404, 5xx, 400-499, >=400 or none; service: target: env: method: tag: run: \
        workspace: url: header: body:; is:ok, error, answered, failed, cancelled, superseded, pinned, download or upload; since: and until: with \
        30m, 2d, a day, a time, today or yesterday. “-” before a term negates it; quotes, also those of the shell, keep words together.
        """

    @Argument(
        parsing: .allUnrecognized, help: ArgumentHelp("Words and terms: status:5xx service:shop since:1h -method:get …", valueName: "filter"))
    var filter: [String] = []

    /// Parses the filter.
    ///
    /// - Throws: When a term is empty, or looks like an unknown option.
    func parsed(in program: ProgramContext) throws -> HistoryFilter {
        let filter = filter.filter { $0 != "--" }
        // Options of other commands are not excluded words.
        if let option = filter.first(where: { $0.hasPrefix("--") || $0.hasPrefix("-") && $0.count == 2 }) {
            throw CommandFailure(.usage, "there is no option \(option)", hint: "sortie help history lists all options")
        }
        let now = program.now()
        do throws(HistoryFilterProblem) {
            return try HistoryFilter(parsing: HistoryFilter.text(ofArguments: filter), now: now, utcOffset: TimeZone.current.secondsFromGMT(for: now))
        } catch {
            throw CommandFailure(.usage, name: "filter", error.description, hint: "sortie help history list explains the filter")
        }
    }
}
