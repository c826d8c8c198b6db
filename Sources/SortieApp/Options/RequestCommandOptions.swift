/// The options of a command that sends a request.
struct RequestCommandOptions {
    let parts: RequestPartOptions
    let sending: SendingOptions
    let trust: TrustOptions
}
