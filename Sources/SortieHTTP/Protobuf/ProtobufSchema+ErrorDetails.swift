/// The types of `google/rpc/error_details.proto`, with which many servers explain a status; reflection seldom describes them.
extension ProtobufSchema {
    /// The types, and those that they use.
    static let errorDetails: ProtobufSchema = {
        var schema = ProtobufSchema()
        schema.add("google.protobuf.Duration", ["seconds: int64", "nanos: int32"])
        let package = "google.rpc."
        for (name, fields) in errorDetailFields { schema.add(package + name, fields) }
        return schema
    }()

    /// The types of the fields by message, in the order of their numbers, which begin with 1.
    ///
    /// `[TYPE]` is repeated, `{string}` is a map from strings to strings, and `.TYPE` is a message of the package `google.rpc`.
    private static let errorDetailFields: KeyValuePairs<String, [String]> = [
        "ErrorInfo": ["reason: string", "domain: string", "metadata: {string}"],
        "RetryInfo": ["retry_delay: google.protobuf.Duration"],
        "DebugInfo": ["stack_entries: [string]", "detail: string"],
        "QuotaFailure": ["violations: [.QuotaFailure.Violation]"],
        "QuotaFailure.Violation": [
            "subject: string", "description: string", "api_service: string", "quota_metric: string", "quota_id: string",
            "quota_dimensions: {string}", "quota_value: int64", "future_quota_value: int64",
        ],
        "PreconditionFailure": ["violations: [.PreconditionFailure.Violation]"],
        "PreconditionFailure.Violation": ["type: string", "subject: string", "description: string"],
        "BadRequest": ["field_violations: [.BadRequest.FieldViolation]"],
        "BadRequest.FieldViolation": ["field: string", "description: string", "reason: string", "localized_message: .LocalizedMessage"],
        "RequestInfo": ["request_id: string", "serving_data: string"],
        "ResourceInfo": ["resource_type: string", "resource_name: string", "owner: string", "description: string"],
        "Help": ["links: [.Help.Link]"],
        "Help.Link": ["description: string", "url: string"],
        "LocalizedMessage": ["locale: string", "message: string"],
    ]

    private mutating func add(_ name: String, _ fields: [String]) {
        var message = ProtobufMessageType()
        message.name = name
        for (index, text) in fields.enumerated() {
            let words = text.split(separator: ": ", maxSplits: 1).map(String.init)
            var field = ProtobufField()
            (field.name, field.number) = (words[0], index + 1)
            field.jsonName = Self.camelCase(field.name)
            var type = words[1]
            if type.hasPrefix("[") {
                field.isRepeated = true
                type = String(type.dropFirst().dropLast())
            }
            switch type {
            case "string": field.kind = .string
            case "int32": field.kind = .int32
            case "int64": field.kind = .int64
            case "{string}":
                (field.kind, field.isRepeated, field.typeName) = (.message, true, "\(name).\(field.name)Entry")
                add(field.typeName, ["key: string", "value: string"])
                messages[field.typeName]?.isMapEntry = true
            default: (field.kind, field.typeName) = (.message, type.hasPrefix(".") ? "google.rpc\(type)" : type)
            }
            // An empty value is not displayed, unlike those of other types: most of these fields are seldom used.
            field.hasPresence = !field.isRepeated
            message.fields.append(field)
        }
        messages[name] = message
    }
}
