#if Tracing
    internal import FoundationEssentials
    internal import SortieHTTP
    internal import Synchronization
    public import Tracing

    extension ClientConfiguration {
        /// The tracer of calls, for example `InstrumentationSystem.tracer`; nil traces nothing.
        ///
        /// It requires the package trait `Tracing`. A call is a span, whose parent is the span of the calling task. Each attempt, including redirects
        /// and retries, is a span of the kind `client` in it, and its context is sent in the header fields of the tracer, such as `traceparent` (W3C
        /// Trace Context §3.2). The attributes are those of OpenTelemetry. A request that bypasses plugins is not traced.
        public var tracer: (any Tracer)? {
            get { plugins.lazy.compactMap { $0 as? TracerPlugin }.first?.tracer }
            set {
                plugins.removeAll { $0 is TracerPlugin }
                // In the first place, so that a signature covers the added fields.
                if let newValue { plugins.insert(TracerPlugin(tracer: newValue), at: 0) }
            }
        }
    }

    /// Creates the spans of calls and attempts.
    final class TracerPlugin: Plugin {
        private struct Spans {
            let call: any Span
            /// The spans of attempts, each with the number of its first attempt.
            var attempts: [(number: Int, span: any Span)] = []
        }

        /// Writes the fields of a tracer.
        private struct HeaderInjector: Injector {
            func inject(_ value: String, forKey key: String, into carrier: inout Headers) { carrier[key] = value }
        }

        let tracer: any Tracer
        private let spans = Mutex<[RequestID: Spans]>([:])

        init(tracer: any Tracer) {
            self.tracer = tracer
        }

        func willPrepare(_ request: inout Request, in context: PluginContext) async throws {
            guard !context.isDryRun else { return }
            let span = tracer.startAnySpan("HTTP call", ofKind: .internal)
            describe(request, span)
            spans.withLock { $0[context.id] = Spans(call: span) }
        }

        func prepare(_ request: inout Request, in context: PluginContext) async throws {
            guard let call = spans.withLock({ $0[context.id]?.call }) else { return }
            let span = tracer.startAnySpan(request.method.rawValue, context: call.context, ofKind: .client)
            describe(request, span)
            if context.attempt > 1 { span.attributes["http.request.resend_count"] = context.attempt - 1 }
            tracer.inject(span.context, into: &request.headers, using: HeaderInjector())
            spans.withLock { $0[context.id]?.attempts.append((context.attempt, span)) }
        }

        /// Ends the spans; those of attempts with the times that were measured.
        func didFinish(_ exchange: Exchange, in context: PluginContext) async {
            guard let open = spans.withLock({ $0.removeValue(forKey: context.id) }) else { return }
            let redaction = Redaction.standard.learning(from: exchange)
            for (index, started) in open.attempts.enumerated() {
                let end = index + 1 < open.attempts.count ? open.attempts[index + 1].number - 1 : exchange.attempts.count
                guard end >= started.number, exchange.attempts.indices.contains(end - 1) else {
                    started.span.end()
                    continue
                }
                let attempt = exchange.attempts[end - 1]
                finish(started.span, status: attempt.status, attempt.error.map { redaction.masked($0) })
                let seconds = attempt.startedAt.timeIntervalSince1970 + max(0, attempt.timing.total)
                started.span.end(at: DefaultTracerClock.Timestamp(nanosecondsSinceEpoch: UInt64(max(0, seconds * 1e9))))
            }
            finish(open.call, status: exchange.response?.status, exchange.error.map { redaction.masked($0) })
            open.call.end()
        }

        private func describe(_ request: Request, _ span: any Span) {
            span.attributes["http.request.method"] = request.method.rawValue
            span.attributes["url.full"] = Redaction.standard.learning(from: request).maskedURL(request.url.description)
            span.attributes["server.address"] = request.url.hostForLookup
            span.attributes["server.port"] = Int(request.url.port)
        }

        private func finish(_ span: any Span, status: Int?, _ error: NetworkError?) {
            if let status { span.attributes["http.response.status_code"] = status }
            if let error {
                span.attributes["error.type"] = error.code.rawValue
                span.recordError(error)
                span.setStatus(SpanStatus(code: .error, message: error.message))
            } else if let status, status >= 400 {
                span.attributes["error.type"] = String(status)
                span.setStatus(SpanStatus(code: .error))
            }
        }
    }
#endif
