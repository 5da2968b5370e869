package org.hubmark.bench.cli;

import org.hubmark.bench.measure.run.TargetFacts;
import org.hubmark.bench.measure.watch.WatchClient;
import org.hubmark.bench.measure.watch.WatchToken;
import org.hubmark.bench.measure.watch.WatchedHubs;
import org.hubmark.core.UserError;
import org.hubmark.server.Converters;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Option;

import java.net.InetSocketAddress;
import java.nio.file.Path;

/** Where a hub of our own runs, if that is another machine. */
final class HubOnOptions {
    @Option(
            names = "--hub-on",
            paramLabel = "HOST:PORT",
            converter = Converters.Target.class,
            description =
                    "Address of a 'hubmark watch --start-hubs' on another machine, which starts"
                            + " the hubs there, on the volumes that it was given, and serves the counters of"
                            + " that machine. The log device's ceiling is not measured and no messages compared."
                            + " Default: this machine.")
    private @Nullable InetSocketAddress address;

    @Option(
            names = "--hub-on-token-file",
            paramLabel = "FILE",
            description =
                    "File with the token of that watch. Default: none, which a watch on loopback accepts.")
    private @Nullable Path token;

    /** {@return whether hubs run elsewhere} */
    boolean isGiven() {
        return address != null;
    }

    /** {@return what is known of that machine; the caller's, who closes it} Asks it. */
    TargetFacts facts() {
        InetSocketAddress watch = address;
        if (watch == null) {
            throw UserError.usage("--hub-on-token-file goes with --hub-on");
        }
        WatchToken shown = token == null ? null : WatchToken.read(token, "--hub-on-token-file");
        return TargetFacts.hubs(
                WatchClient.open(watch, shown, "--hub-on"), new WatchedHubs(watch, shown));
    }

    /** Fails where only a part of them is given. */
    void check() {
        if (address == null && token != null) {
            throw UserError.usage("--hub-on-token-file goes with --hub-on");
        }
    }
}
