internal import SortieHTTP

extension AWSCredential.Field {
    /// The name on the Auth tab.
    var label: String {
        switch self {
        case .region: "Region"
        case .service: "Service"
        case .accessKey: "Access key"
        case .secretKey: "Secret key"
        case .sessionToken: "Session token"
        }
    }
}
