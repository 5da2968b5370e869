package org.hubmark.bench.hub;

import org.hubmark.bench.machine.ProcessTree;
import org.hubmark.core.OutputFile;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A server in a process of its own: a hub of the same classes, started by {@code serve}, unless told
 * otherwise. It ends when this process ends, in whatever way that comes. Its standard error goes to
 * a file.
 */
public final class ServerProcess implements HubServer {
    private static final Duration START_TIMEOUT = Duration.ofSeconds(60);
    /** From the first sign of it to the exit code. */
    private static final Duration DEATH_TIMEOUT = Duration.ofSeconds(2);

    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(30);
    /** Above it, an exit code is this and the number of the signal that ended the process. */
    private static final int SIGNALLED = 128;

    private static final String METRICS = "metrics on ";
    private static final String LISTENING = "listening on ";

    private final ProcessTree tree;
    private final Process process;
    private final String name;
    private final Path log;
    private final CompletableFuture<String> metrics = new CompletableFuture<>();
    private final CompletableFuture<String> listening = new CompletableFuture<>();

    private ServerProcess(ProcessTree tree, String name, Path log) {
        this.tree = tree;
        this.process = tree.root();
        this.name = name;
        this.log = log;
    }

    /**
     * Starts a hub and waits until it is ready.
     *
     * @param program whose {@code serve} it is
     * @param arguments {@code serve} and its own
     * @param environment added to this process's own
     * @param log gets its standard error
     * @param beforeKill called before the hub is killed because this process is ending
     */
    public static ServerProcess start(
            Program program,
            List<String> arguments,
            Map<String, String> environment,
            Path log,
            Runnable beforeKill)
            throws IOException, InterruptedException {
        return launch("the hub", program.command(arguments), environment, log, beforeKill);
    }

    /**
     * Starts a server by any command that becomes it, and waits until it says where it listens. It
     * must end by itself when its standard input is closed, or with this process.
     *
     * @param name of it, in messages: the hub
     * @param environment added to this process's own
     * @param log gets its standard error
     * @param beforeKill called before it is killed because this process is ending
     */
    public static ServerProcess launch(
            String name,
            List<String> command,
            Map<String, String> environment,
            Path log,
            Runnable beforeKill)
            throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(OutputFile.log(log));
        builder.environment().putAll(environment);
        ServerProcess server = new ServerProcess(ProcessTree.start(builder, beforeKill), name, log);
        Thread.ofPlatform().daemon().name("server-output").start(server::readOutput);
        try {
            server.awaitReady();
        } catch (UserError | InterruptedException e) {
            server.close();
            throw e;
        }
        return server;
    }

    @Override
    public InetSocketAddress address() {
        String text = listening.join();
        int colon = text.lastIndexOf(':');
        return new InetSocketAddress(
                text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
    }

    @Override
    public String metricsAddress() {
        return metrics.join();
    }

    /** {@return its process id} */
    @Override
    public Long processId() {
        return process.pid();
    }

    @Override
    public @Nullable String death() {
        return process.isAlive() ? null : ending(process.exitValue()) + ": " + lastWords();
    }

    @Override
    public @Nullable String awaitDeath() throws InterruptedException {
        var unused = process.waitFor(DEATH_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        return death();
    }

    /** Ends it by SIGTERM, which drains, and by SIGKILL if that takes too long. */
    @Override
    public void stop() throws InterruptedException {
        // Process.destroy would close the pipe too, which means that we are gone: no drain.
        process.toHandle().destroy();
        if (!process.waitFor(STOP_TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
            close();
            throw UserError.failed(name + " did not stop within " + STOP_TIMEOUT.toSeconds()
                    + " s of SIGTERM; it was killed; see " + log);
        }
        close();
        if (process.exitValue() != 0) {
            throw UserError.failed(ending(process.exitValue()) + ": " + lastWords());
        }
    }

    /** Ends it by SIGKILL if it still runs. */
    @Override
    public void close() {
        tree.close();
    }

    private void readOutput() {
        try (BufferedReader out = new BufferedReader(
                new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                if (line.startsWith(METRICS)) {
                    metrics.complete(line.substring(METRICS.length()).trim());
                } else if (line.startsWith(LISTENING)) {
                    listening.complete(line.substring(LISTENING.length()).trim());
                }
            }
        } catch (IOException e) {
            // The process has gone; what that means is said below.
        }
        IOException ended = new IOException("ended");
        metrics.completeExceptionally(ended);
        listening.completeExceptionally(ended);
    }

    private void awaitReady() throws InterruptedException {
        try {
            // A hub says where its metrics are before it listens.
            listening.get(START_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw UserError.failed(
                    name + " was not ready within " + START_TIMEOUT.toSeconds() + " s; see " + log);
        } catch (ExecutionException e) {
            int code = process.waitFor();
            String said = name + " did not start: " + lastWords();
            throw code == 2 ? UserError.usage(said) : UserError.failed(said);
        }
    }

    private String ending(int exitCode) {
        return name
                + (exitCode > SIGNALLED
                        ? " was ended by signal " + (exitCode - SIGNALLED)
                        : " ended with exit code " + exitCode);
    }

    private String lastWords() {
        try {
            return HubJvm.lastWords(log);
        } catch (IOException e) {
            return "see " + log;
        }
    }
}
