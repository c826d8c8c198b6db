/// The tabs of the response pane.
enum ResponseTab: String, PaneTab {
    case body = "Body"
    case headers = "Headers"
    case cookies = "Cookies"
    case timing = "Timing"
    case trace = "Trace"

    var title: String { rawValue }
}
