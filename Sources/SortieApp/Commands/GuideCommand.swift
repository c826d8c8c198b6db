internal import ArgumentParser
internal import SortieBase
internal import SortieGuide

/// `sortie guide`: the guide, which is inside the program.
struct GuideCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "guide", abstract: "Read the guide.",
        discussion: """
            Without a topic it lists the articles. The text is wrapped to the width of the terminal, in a pipe to 80 columns. On a terminal, an \
            article that is longer than the screen is shown in $PAGER, else in less.
            """)

    @Argument(help: "The article: a topic, its beginning, or a word of the title.", completion: .list(Guide.articles.map(\.topic)))
    var topic: String?

    @Flag(name: .customLong("no-pager"), help: "Print a long article instead of showing it in a pager.")
    var isPrinted = false

    func run(in program: ProgramContext) throws {
        guard let topic else { return show(Guide.contents, in: program) }
        guard let article = Guide.article(topic) else {
            let topics = Guide.articles.map(\.topic)
            let nearest = Suggestion.nearest(to: topic, in: topics).map { "did you mean \($0)? " } ?? ""
            throw CommandFailure(.usage, "the guide has no article “\(topic)”", hint: nearest + "it has: \(topics.joined(separator: ", "))")
        }
        show(article, in: program)
    }

    private func show(_ article: GuideArticle, in program: ProgramContext) {
        let text = article.text(width: program.output.columns)
        if isPrinted || !Pager.show(text, in: program) { program.output.write(text) }
    }
}
