// SPDX-License-Identifier: Apache-2.0
import DisposableConsole
import Logging
import ServiceLifecycle
import UnixSignals

/// The services of a command that runs until Ctrl-C, in their order of start.
///
/// Ctrl-C, and the end of a service that `serve` has added, stop all in reverse order; each begins to stop when the one
/// before has ended. A second Ctrl-C exits the process at once.
struct Services {
    /// The limit for nodes. systemd would kill them after 30 seconds.
    static let nodeStopLimit = Duration.seconds(20)

    private let logger: Logger
    private let stopLimit: Duration?
    private var all = [
        ServiceGroupConfiguration.ServiceConfiguration(service: InterruptionService(), serviceName: "signals")
    ]

    /// - Parameter stopLimit: the duration of a stop after which all tasks are cancelled; `nil` waits for as long as it
    ///   takes.
    init(logger: Logger, stopLimit: Duration? = nil) { (self.logger, self.stopLimit) = (logger, stopLimit) }

    /// Adds a service whose end stops all others, and whose error cancels them.
    /// - Parameters:
    ///   - name: the service's name in the log.
    ///   - stop: makes `run` return; without it `run` looks at `Task.isShuttingDownGracefully`.
    ///   - run: serves until its task is cancelled, or `stop` was called.
    mutating func serve(
        _ name: String, stop: @escaping @Sendable () async -> Void = {},
        run: @escaping @Sendable () async throws -> Void
    ) {
        all.append(
            ServiceGroupConfiguration.ServiceConfiguration(
                service: StoppableService(work: run, stop: stop), successTerminationBehavior: .gracefullyShutdownGroup,
                serviceName: name))
    }

    /// Adds work beside the services, which is cancelled when its turn to stop comes. Its error stops all.
    /// - Parameters:
    ///   - name: the work's name in the log.
    ///   - endsAll: whether its end stops all, too.
    ///   - work: a task that ends soon after it was cancelled.
    mutating func follow(_ name: String, endsAll: Bool = false, work: @escaping @Sendable () async throws -> Void) {
        all.append(
            ServiceGroupConfiguration.ServiceConfiguration(
                service: CancelledService(work: work, endsAll: endsAll),
                successTerminationBehavior: .gracefullyShutdownGroup,
                failureTerminationBehavior: .gracefullyShutdownGroup, serviceName: name))
    }

    /// Runs until all services have ended. Throws the first error of one of them.
    func run() async throws {
        var configuration = ServiceGroupConfiguration(
            services: all, gracefulShutdownSignals: [.sigint, .sigterm, .sighup], logger: logger)
        configuration.maximumGracefulShutdownDuration = stopLimit
        do { try await ServiceGroup(configuration: configuration).run() } catch let error as ServiceGroupError
            where error.errorCode == .serviceFinishedUnexpectedly
        {
            // One ended by itself while another was being stopped. The others were cancelled then, and have ended.
        }
    }
}

/// Says that the program stops, and ends it at the second signal. It starts after the group listens to signals, so that
/// none is counted which the group has not seen.
private struct InterruptionService: Service {
    func run() async throws {
        Signals.count { Console.say("\ndisposable: stopping; press Ctrl-C again to stop at once") }
        try? await gracefulShutdown()
    }
}

private struct StoppableService: Service {
    let work: @Sendable () async throws -> Void
    let stop: @Sendable () async -> Void

    func run() async throws {
        // Cancelled, and awaited, at the end of the work.
        async let _: Void = stopWhenAsked()
        try await work()
    }

    private func stopWhenAsked() async {
        guard (try? await gracefulShutdown()) != nil else { return }
        await stop()
    }
}

private struct CancelledService: Service {
    let work: @Sendable () async throws -> Void
    let endsAll: Bool

    func run() async throws {
        do { try await cancelWhenGracefulShutdown { try await work() } } catch
            where error is CancellationError || Task.isShuttingDownGracefully
        {
            // Work that is cancelled may fail of it.
        }
        if !endsAll { try? await gracefulShutdown() }
    }
}
