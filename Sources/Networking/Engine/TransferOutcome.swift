internal import CCurl
internal import Model

/// How one attempt ended.
struct TransferOutcome: Sendable {
    /// The answer, as much as came of it; nil when no complete header came.
    var response: Response?
    /// Why it failed.
    var error: NetworkError?
    /// The moments of it.
    var timing = Timing()
    /// The address that was connected to.
    var address: String?
    /// Whether a connection was used again.
    var isConnectionReused = false
    /// The header fields that went out, as far as they are known.
    var sentHeaders = Headers()
    /// Bytes of body that went out.
    var sentBodyBytes: Int64 = 0
    /// The file that a large body is in.
    var spool: SpoolFile?

    /// An attempt that never reached libcurl.
    init(error: NetworkError) {
        self.error = error
    }

    /// Reads everything out of the handle, before it is used again.
    @Engine
    init(of transfer: Transfer, result: CURLcode, at now: UInt64) {
        let handle = transfer.handle
        let sink = transfer.sink
        sink.body.flush()
        spool = sink.body.spool
        timing = TransferOutcome.timing(handle)
        address = handle.string(CURLINFO_PRIMARY_IP).flatMap { $0.isEmpty ? nil : $0 }
        isConnectionReused = handle.long(CURLINFO_NUM_CONNECTS) == 0 && result == CURLE_OK
        sentHeaders = sink.sentHeaders.fields.isEmpty ? transfer.spec.headers : sink.sentHeaders
        sentBodyBytes = handle.offset(CURLINFO_SIZE_UPLOAD_T)
        if sink.header.status >= 200 {
            var response = sink.header.response
            response.wireBytes = handle.offset(CURLINFO_SIZE_DOWNLOAD_T)
            response.remoteAddress = address.map {
                ($0.utf8.contains(UInt8(ascii: ":")) ? "[\($0)]:" : "\($0):") + String(handle.long(CURLINFO_PRIMARY_PORT))
            }
            if sink.isRedirect { sink.body.discard() }
            response.body = sink.body.spool == nil ? sink.body.view : .empty
            self.response = response
        }
        if let reason = transfer.abortReason ?? sink.failure {
            error = reason
        } else if result != CURLE_OK {
            error = NetworkError(curl: result, transfer: transfer, connected: timing.connect > 0 || isConnectionReused, at: now)
        }
        if let error { response?.truncation = error.message }
    }

    private static func timing(_ handle: EasyHandle) -> Timing {
        func seconds(_ info: CURLINFO) -> Double { Double(handle.offset(info)) / 1e6 }
        var timing = Timing()
        timing.nameLookup = seconds(CURLINFO_NAMELOOKUP_TIME_T)
        timing.connect = seconds(CURLINFO_CONNECT_TIME_T)
        timing.tls = seconds(CURLINFO_APPCONNECT_TIME_T)
        timing.requestStart = seconds(CURLINFO_PRETRANSFER_TIME_T)
        timing.firstByte = seconds(CURLINFO_STARTTRANSFER_TIME_T)
        timing.total = seconds(CURLINFO_TOTAL_TIME_T)
        return timing
    }
}
