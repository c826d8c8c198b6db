#if Metrics
    public import Metrics
    internal import SortieHTTP

    extension ClientConfiguration {
        /// The factory of the metrics of calls, for example `MetricsSystem.factory`; nil reports none.
        ///
        /// It requires the package trait `Metrics`. The timer `http.client.request.duration` has the attempts and `http.client.call.duration` the
        /// calls, with their retries and redirects. The dimensions are those of OpenTelemetry: `http.request.method`, `server.address`,
        /// `server.port`, and either `http.response.status_code` or `error.type`.
        public var metrics: (any MetricsFactory)? {
            get { plugins.lazy.compactMap { $0 as? MetricsPlugin }.first?.factory }
            set {
                plugins.removeAll { $0 is MetricsPlugin }
                if let newValue { plugins.append(MetricsPlugin(factory: newValue)) }
            }
        }
    }

    /// Reports the durations of calls and attempts.
    struct MetricsPlugin: Plugin {
        let factory: any MetricsFactory

        func didFinish(_ exchange: Exchange, in context: PluginContext) async {
            for attempt in exchange.attempts {
                let dimensions = dimensions(attempt.method, attempt.url, status: attempt.status, attempt.error)
                Timer(label: "http.client.request.duration", dimensions: dimensions, factory: factory).recordSeconds(attempt.timing.total)
            }
            let dimensions = dimensions(exchange.request.method, exchange.request.url, status: exchange.response?.status, exchange.error)
            Timer(label: "http.client.call.duration", dimensions: dimensions, factory: factory).recordSeconds(exchange.duration)
        }

        private func dimensions(_ method: HTTPMethod, _ url: HTTPURL, status: Int?, _ error: NetworkError?) -> [(String, String)] {
            var dimensions = [
                ("http.request.method", method.rawValue), ("server.address", url.hostForLookup), ("server.port", String(url.port)),
            ]
            if let status { dimensions.append(("http.response.status_code", String(status))) }
            if let error { dimensions.append(("error.type", error.code.rawValue)) }
            return dimensions
        }
    }
#endif
