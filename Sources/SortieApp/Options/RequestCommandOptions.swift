internal import ArgumentParser

/// The options of a command that sends the request of an endpoint or of a URL.
struct RequestCommandOptions: ParsableArguments {
    @OptionGroup(title: "Request") var parts: RequestPartOptions
    @OptionGroup(title: "Sending") var sending: SendingOptions
    @OptionGroup(title: "Trust") var trust: TrustOptions
}
