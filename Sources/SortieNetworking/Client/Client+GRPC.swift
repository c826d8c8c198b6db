package import SortieHTTP

extension Client {
    /// The services that a gRPC server describes by reflection, as a `FileDescriptorSet` with all imports.
    ///
    /// - Parameter request: A request to the server, whose fields and options are used; its path is that of the services.
    /// - Throws: `badResponse` where the server is not one of gRPC or has no reflection, and the errors of sending.
    package func describedServices(_ request: Request) async throws(NetworkError) -> [UInt8] {
        var request = core.layered(request)
        GRPCRequest.prepare(&request, secondsLeft: nil)
        return try await core.reflection(like: request, nil).descriptorSet()
    }
}
