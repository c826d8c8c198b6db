/// The tabs of the request pane.
enum RequestTab: String, PaneTab {
    case params = "Params"
    case headers = "Headers"
    case body = "Body"
    case auth = "Auth"
    case options = "Options"
    case rules = "Rules"

    var title: String { rawValue }
}
