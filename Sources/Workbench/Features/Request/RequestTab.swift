/// The tabs of the request pane.
enum RequestTab: String, PaneTab {
    case params = "Params"
    case headers = "Headers"
    case body = "Body"
    case auth = "Auth"
    case rules = "Rules"
    case options = "Options"

    var title: String { rawValue }
}
