/// The texts for users in one language: the messages of failures and of common result codes, and the name of a file without one.
///
/// A client or a service chooses them with `RequestOptions.texts`; a program can change each of them.
public struct UserTexts: Hashable, Sendable {
    /// The tag of the language (BCP 47), which `texts:` of a service names.
    public var language: String
    /// Every failure to get a response, where the error filter does not distinguish them.
    public var transport: String
    /// A time limit.
    public var timedOut: String
    /// No connection to the server.
    public var noConnection: String
    /// A cancelled call.
    public var cancelled: String
    /// Every other failure.
    public var failed: String
    /// A first page without items.
    public var noData: String
    /// A later page without items.
    public var noMoreData: String
    /// A response in another format than agreed.
    public var wrongFormat: String
    /// The name of a file where neither the response nor the URL gives one.
    public var unnamedFile: String
    /// The messages for result codes that several services have, where the server sends none.
    public var codes: [String: String]

    /// The default.
    public static let english = UserTexts(
        language: "en", transport: "network error", timedOut: "the request timed out", noConnection: "no connection to the server; check the network",
        cancelled: "the request was cancelled", failed: "the request failed", noData: "the list is empty", noMoreData: "there are no further items",
        wrongFormat: "the response does not have the agreed format", unnamedFile: "download",
        codes: [
            "success": "success", "resource_not_found": "the requested resource does not exist",
            "auth_failed": "your sign-in has expired; sign in again", "request_forbidden": "the request is forbidden",
            "invalid_param": "a parameter of the request is invalid", "internal_error": "internal error of the server",
            "blacklisted_input": "the text contains words that are not permitted",
        ])

    /// Texts in simplified Chinese.
    public static let simplifiedChinese = UserTexts(
        language: "zh-Hans", transport: "网络错误", timedOut: "请求超时了~", noConnection: "当前网络差, 请检查网络设置~", cancelled: "请求已取消~", failed: "请求失败了~",
        noData: "这里什么也没有~", noMoreData: "没有更多了~", wrongFormat: "返回数据格式错误", unnamedFile: "未命名文件",
        codes: [
            "success": "成功", "resource_not_found": "请求资源不存在", "auth_failed": "你的登录信息已过期,请重新登录", "request_forbidden": "请求被禁止",
            "invalid_param": "请求参数非法", "internal_error": "服务器内部错误", "blacklisted_input": "内容非法, 有违禁词~",
        ])

    /// The texts that a workspace can choose.
    package static let profiles = [english, simplifiedChinese]
}
