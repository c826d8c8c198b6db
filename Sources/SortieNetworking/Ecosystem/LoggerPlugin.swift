#if Logging
    public import Logging
    internal import SortieHTTP

    extension ClientConfiguration {
        /// The logger of calls and attempts; nil logs nothing.
        ///
        /// It requires the package trait `Logging`. Calls are logged with the level debug when they end, and attempts with the level trace when they
        /// start and when a response arrives. A failure is not logged as an error, because the caller receives it. A certificate that was not
        /// verified is a warning. Credentials are masked.
        public var logger: Logger? {
            get { plugins.lazy.compactMap { $0 as? LoggerPlugin }.first?.logger }
            set {
                plugins.removeAll { $0 is LoggerPlugin }
                if let newValue { plugins.append(LoggerPlugin(logger: newValue)) }
            }
        }
    }

    /// Writes calls and attempts to a logger.
    struct LoggerPlugin: Plugin {
        let logger: Logger

        func willSend(_ request: Request, in context: PluginContext) async {
            logger.trace("attempt starts", metadata: metadata(of: request, in: context))
        }

        func didReceive(_ response: Response, to request: Request, in context: PluginContext) async throws -> Recovery {
            var metadata = metadata(of: request, in: context)
            metadata["status"] = "\(response.status)"
            logger.trace("response received", metadata: metadata)
            return .none
        }

        func didFinish(_ exchange: Exchange, in context: PluginContext) async {
            let redaction = Redaction.standard.learning(from: exchange)
            for notice in exchange.notices { logger.warning("\(redaction.masked(notice))", metadata: ["id": "\(exchange.id)"]) }
            if exchange.isInsecure {
                logger.warning("the certificate of the server was not verified", metadata: ["id": "\(exchange.id)"])
            }
            guard logger.logLevel <= .debug else { return }
            var metadata: Logger.Metadata = [
                "id": "\(exchange.id)", "method": "\(exchange.request.method)", "url": "\(redaction.maskedURL(exchange.request.url.description))",
                "attempts": "\(exchange.attempts.count)", "seconds": "\(exchange.duration)",
            ]
            if let service = exchange.request.service { metadata["service"] = "\(service)" }
            if let response = exchange.response { metadata["status"] = "\(response.status)" }
            if let error = exchange.error {
                metadata["error"] = "\(error.code.rawValue)"
                metadata["message"] = "\(redaction.masked(error).message)"
            }
            logger.debug(exchange.error == nil ? "call finished" : "call failed", metadata: metadata)
        }

        private func metadata(of request: Request, in context: PluginContext) -> Logger.Metadata {
            guard logger.logLevel == .trace else { return [:] }
            let url = Redaction.standard.learning(from: request).maskedURL(request.url.description)
            return ["id": "\(context.id)", "method": "\(request.method)", "url": "\(url)", "attempt": "\(context.attempt)"]
        }
    }
#endif
