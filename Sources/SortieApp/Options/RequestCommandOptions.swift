/// A command that sends the request of an endpoint or of a URL.
///
/// It declares the three groups itself, because a debug build of ArgumentParser validates a group in a group, and each level of groups takes four times
/// as long: with one group that had these three, a debug build parsed the arguments of `sortie send` for 140 ms.
protocol RequestCommand: AsyncProgramCommand {
    var parts: RequestPartOptions { get }
    var sending: SendingOptions { get }
    var trust: TrustOptions { get }
}

extension RequestCommand {
    /// The options about the request.
    var request: RequestCommandOptions { RequestCommandOptions(parts: parts, sending: sending, trust: trust) }
}

/// The options of a command that sends a request.
struct RequestCommandOptions {
    let parts: RequestPartOptions
    let sending: SendingOptions
    let trust: TrustOptions
}
