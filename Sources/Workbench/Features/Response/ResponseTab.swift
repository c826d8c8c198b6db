/// The tabs of the response pane.
enum ResponseTab: String, PaneTab {
    case body = "Body"
    case headers = "Headers"
    case cookies = "Cookies"
    case timing = "Timing"
    case trace = "Trace"
    case value = "Value"
    case checks = "Checks"

    var title: String { rawValue }
}
