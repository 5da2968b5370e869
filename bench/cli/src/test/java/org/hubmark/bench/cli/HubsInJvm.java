package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.cli.CommandProcess.Ended;
import org.hubmark.bench.hub.HubServer;
import org.hubmark.bench.hub.Program;
import org.hubmark.bench.mail.document.Figure;
import org.hubmark.hub.Hub;
import org.hubmark.server.Converters;
import org.hubmark.server.PipedServer;
import org.hubmark.server.ServeCommand;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Commands in this JVM whose hubs are in it too. They are the hubs that {@code serve} starts with the same
 * arguments; what only a process has is unknown of them: its CPU time, its limits, its options. One
 * command at a time, since standard output is that of the JVM.
 */
final class HubsInJvm {
    /** The figures that only a hub in a process of its own has. */
    static final Set<String> UNKNOWN = Set.of(
            Figure.CPU_PERCENT.key(),
            Figure.SERVER_CPU_US_PER_MSG.key(),
            Figure.CPU_COST_MCYCLES_PER_MSG.key(),
            Figure.CPU_COST_PROCESS_MCYCLES_PER_MSG.key(),
            Figure.CPU_COST_CYCLES_PER_MSG_BYTE.key());

    private final AtomicInteger started = new AtomicInteger();
    private final AtomicInteger running = new AtomicInteger();

    /** {@return what starts its hubs in this JVM} */
    Program program() {
        return new Program(
                Main.version(),
                PipedServer.class,
                (program, arguments, environment, log, beforeKill) ->
                        start(arguments, environment));
    }

    /** {@return how many hubs it has started} */
    int started() {
        return started.get();
    }

    /** {@return how many of them have not ended} */
    int running() {
        return running.get();
    }

    /** Runs a command to its end. */
    Ended run(String... arguments) {
        try {
            return CommandInJvm.captured(() -> Main.execute(program(), arguments));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private HubServer start(List<String> arguments, Map<String, String> environment) {
        assertThat(environment).as("an environment takes a process").isEmpty();
        CommandLine line = Main.commandLine(arguments.toArray(String[]::new));
        CommandLine.ParseResult serve =
                line.parseArgs(arguments.toArray(String[]::new)).subcommand();
        Hub hub = ((ServeCommand) serve.commandSpec().userObject()).start();
        started.incrementAndGet();
        assertThat(running.incrementAndGet()).as("hubs at once").isOne();
        return new Server(hub);
    }

    private final class Server implements HubServer {
        private final Hub hub;
        private boolean ended;

        private Server(Hub hub) {
            this.hub = hub;
        }

        @Override
        public InetSocketAddress address() {
            return hub.address();
        }

        @Override
        public String metricsAddress() {
            return Converters.format(hub.metricsAddress().orElseThrow());
        }

        @Override
        public @Nullable Long processId() {
            return null;
        }

        @Override
        public @Nullable String death() {
            Throwable cause = hub.failure().getNow(null);
            return cause == null ? null : "the hub stopped: " + cause;
        }

        @Override
        public @Nullable String awaitDeath() {
            return death();
        }

        @Override
        public void stop() {
            close();
        }

        @Override
        public void close() {
            if (ended) {
                return;
            }
            ended = true;
            try {
                hub.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            running.decrementAndGet();
        }
    }
}
