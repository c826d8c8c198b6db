extension NetworkError {
    /// The kind of a failure, on which a user or a program can act.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        // Transport
        case hostNotFound, connectionRefused, cannotConnect, offline, timedOut
        case tlsFailed, untrustedCertificate, pinMismatch, clientCertificate
        /// The client key is encrypted, and its passphrase is missing or wrong.
        case clientKeyPassphrase
        case connectionLost, emptyResponse, badResponse, truncatedBody, badEncoding, proxyFailed
        /// The connection broke after the request may have been processed; it was not sent again.
        case ambiguousDelivery
        // HTTP
        case status, tooManyRedirects, badRedirect
        // Business
        case business
        /// The caller cannot use the body.
        case badBody
        /// The digest of a file differs from the expected one.
        case digestMismatch
        /// The server closed a WebSocket connection with another code than 1000 and 1001.
        case closed
        /// The first page is empty.
        case noData
        /// A later page is empty.
        case noMoreData
        // Client
        case invalidURL, invalidMethod, invalidHeader, invalidOption, invalidTemplate, fileUnreadable
        /// A secret that `hosts:` restricts would be sent to another host.
        case secretNotPermitted
        /// The cache has no response, and the request may not be sent (``RequestOptions/CachePolicy/cacheOnly``).
        case notCached
        case bodyTooLarge, storage, cancelled, superseded, shutDown, pluginFailed, internalFailure

        /// The class of the code.
        public var errorClass: Class {
            switch self {
            case .hostNotFound, .connectionRefused, .cannotConnect, .offline, .timedOut, .tlsFailed, .untrustedCertificate,
                .pinMismatch,
                .clientCertificate, .clientKeyPassphrase, .connectionLost, .emptyResponse, .badResponse, .truncatedBody, .badEncoding, .proxyFailed,
                .ambiguousDelivery:
                .transport
            case .status, .tooManyRedirects, .badRedirect:
                .http
            case .business, .badBody, .digestMismatch, .closed, .noData, .noMoreData:
                .business
            case .invalidURL, .invalidMethod, .invalidHeader, .invalidOption, .invalidTemplate, .fileUnreadable, .bodyTooLarge,
                .storage,
                .secretNotPermitted, .notCached, .cancelled, .superseded, .shutDown, .pluginFailed, .internalFailure:
                .client
            }
        }
    }
}
