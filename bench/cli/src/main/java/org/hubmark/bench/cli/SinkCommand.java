package org.hubmark.bench.cli;

import org.hubmark.bench.load.SinkServer;
import org.hubmark.core.UserError;
import org.hubmark.server.Converters;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;

/** A server that takes mail and discards it. */
@Command(
        name = "sink",
        description = {
            "Accepts mail by SMTP or LMTP and discards it until it is ended by Ctrl-C or SIGTERM.",
            "May answer slowly or refuse a share of the messages. Prints 'listening on HOST:PORT' on standard output when it is ready."
        })
public final class SinkCommand implements Callable<Integer> {
    @Option(
            names = "--listen",
            defaultValue = "127.0.0.1:2626",
            converter = Converters.Address.class,
            description = "Address to listen on; port 0 picks a free one.")
    private InetSocketAddress listen;

    @Option(
            names = "--delay",
            defaultValue = "0ms",
            converter = BenchConverters.TimeOrNone.class,
            description = "Wait before each answer to content (ms, s, m, h).")
    private Duration delay;

    @Option(
            names = "--defer-percent",
            defaultValue = "0",
            description = "Share of the messages answered with 451, percent.")
    private double deferPercent;

    @Option(
            names = "--reject-percent",
            defaultValue = "0",
            description = "Share of the messages answered with 550, percent.")
    private double rejectPercent;

    @Option(names = "--lmtp", description = "Speaks LMTP: an answer for each recipient.")
    private boolean lmtp;

    @Override
    public Integer call() throws IOException, InterruptedException {
        SinkServer.Behaviour behaviour;
        try {
            behaviour = new SinkServer.Behaviour(delay, deferPercent, rejectPercent, lmtp);
        } catch (IllegalArgumentException e) {
            throw UserError.usage("--defer-percent and --reject-percent: " + e.getMessage());
        }
        SinkServer server = SinkServer.start(listen, behaviour);
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            System.out.println(server.summary());
                            System.out.flush();
                            // The JVM would exit with 130 or 143; being ended is what it waits for.
                            Runtime.getRuntime().halt(0);
                        },
                        "summary"));
        System.out.println("listening on " + Converters.format(server.address()));
        System.out.flush();
        // Until a signal comes.
        new CountDownLatch(1).await();
        return 0;
    }
}
