package org.hubmark.bench.measure.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.handler.codec.http.HttpResponseStatus;

import org.hubmark.bench.machine.CycleSource;
import org.hubmark.bench.machine.Environment;
import org.hubmark.bench.machine.LocalMachine;
import org.hubmark.bench.machine.Machine;
import org.hubmark.bench.machine.MachineCpu;
import org.hubmark.bench.machine.MachineReading;
import org.hubmark.bench.machine.MachineSource;
import org.hubmark.bench.machine.OneProcess;
import org.hubmark.bench.results.TargetWatch;
import org.hubmark.core.UserError;
import org.hubmark.hub.admin.AdminServer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Proves on loopback that what one machine reads of itself arrives at another as it was, and only at one
 * that has the token; and that each way in which this fails is said in a line.
 */
@Timeout(60)
class WatchServerTest {
    private static final InetSocketAddress ANY_PORT =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    @TempDir
    Path folder;

    private static WatchServer start(@Nullable WatchToken token, MachineSource source)
            throws IOException {
        return WatchServer.start(
                ANY_PORT,
                token,
                new WatchServer.Watched(
                        "test", true, "a clock", source, Machine.inspect(List.of())));
    }

    private WatchToken token(String text) throws IOException {
        Path file = Files.createTempFile(folder, "token", "");
        Files.writeString(file, text + "\n");
        return WatchToken.read(file, "--token-file");
    }

    @Test
    void theReadingOfThisMachineArrives() throws IOException {
        long own = ProcessHandle.current().pid();
        try (CycleSource cycles = CycleSource.open();
                WatchServer server =
                        start(null, new LocalMachine(new OneProcess(own), cycles, List.of()));
                WatchedMachine watched =
                        WatchClient.open(server.address(), null, "--target-watch")) {
            Environment here = Machine.inspect(List.of());
            assertThat(watched.environment().processor().cpuModel())
                    .isEqualTo(here.processor().cpuModel());
            assertThat(watched.environment().processor().logicalCores())
                    .isEqualTo(here.processor().logicalCores());
            assertThat(watched.cyclesSource()).isEqualTo("a clock");
            MachineReading from = watched.read();
            MachineReading to = watched.read();
            assertThat(to.monotonicNanos())
                    .isGreaterThan(from.monotonicNanos())
                    .isLessThanOrEqualTo(System.nanoTime());
            assertThat(Objects.requireNonNull(to.cpu()).totalTicks()).isPositive();
            assertThat(to.processes().serverCpuNanos()).isPositive();
            assertThat(to.processes().serverThreads()).isNotEmpty();
            assertThat(to.cycles()).isNotNull();
            assertThat(to.io()).isNull();
            assertThat(watched.readAll().io()).isNotNull();
            assertThat(to.processes().readerCpuNanos()).isPositive();
            watched.measured(to.monotonicNanos() - from.monotonicNanos(), from, to, 2_000_000);
            TargetWatch account = watched.account();
            assertThat(account.alignmentErrorMs()).isEqualTo(2);
            assertThat(account.windowDifferenceMs()).isZero();
            assertThat(account.clockOffsetMs()).isBetween(-60_000.0, 60_000.0);
            assertThat(account.counts()).isEqualTo("process");
            assertThat(account.readings()).isEqualTo(4);
        }
    }

    @Test
    void onlyWhoHasTheTokenIsAnswered() throws IOException {
        try (WatchServer server = start(token("right"), new Steps())) {
            assertThatThrownBy(() -> WatchClient.open(server.address(), null, "--target-watch"))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("refuses: this watch needs a token");
            assertThatThrownBy(() ->
                            WatchClient.open(server.address(), token("wrong"), "--target-watch"))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("the token is not that of this watch");
            try (WatchedMachine watched =
                    WatchClient.open(server.address(), token("right"), "--target-watch")) {
                assertThat(watched.lost()).isNull();
            }
        }
    }

    @Test
    void aTokenIsOneWord() throws IOException {
        assertThatThrownBy(() -> token("two words"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("holds no token");
        assertThatThrownBy(() -> token("")).hasMessageContaining("holds no token");
        assertThatThrownBy(() -> token("x".repeat(2_000))).hasMessageContaining("too long");
        assertThatThrownBy(() -> WatchToken.read(folder.resolve("none"), "--token-file"))
                .hasMessageContaining("no such file");
    }

    /** A web page may have a name of its own lead to loopback. */
    @Test
    void withoutATokenItIsAskedByAddressAlone() throws IOException {
        try (WatchServer server = start(null, new Steps())) {
            HttpText named = new HttpText(
                    URI.create("http://localhost:" + server.address().getPort() + "/reading"),
                    null);
            assertThat(named.get().status()).isEqualTo(200);
            try (Socket socket =
                    new Socket(server.address().getAddress(), server.address().getPort())) {
                socket.getOutputStream()
                        .write(
                                "GET /reading HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"
                                        .getBytes(US_ASCII));
                assertThat(new String(socket.getInputStream().readAllBytes(), US_ASCII))
                        .startsWith("HTTP/1.1 421 ");
            }
        }
    }

    @Test
    void whatIsLostStaysLost() throws IOException {
        Steps steps = new Steps();
        try (WatchServer server = start(null, steps);
                WatchedMachine watched =
                        WatchClient.open(server.address(), null, "--target-watch")) {
            assertThat(watched.read().cpu()).isNotNull();
            steps.broken = true;
            assertThat(watched.read()).isEqualTo(MachineReading.UNKNOWN);
            assertThat(watched.lost()).contains("no longer answers", "the disk is gone");
            steps.broken = false;
            assertThat(watched.read()).isEqualTo(MachineReading.UNKNOWN);
            assertThat(watched.account().lost()).isEqualTo(watched.lost());
        }
    }

    @Test
    void aWatchThatEndsIsLost() throws IOException {
        WatchServer server = start(null, new Steps());
        try (WatchedMachine watched = WatchClient.open(server.address(), null, "--target-watch")) {
            server.close();
            assertThat(watched.read()).isEqualTo(MachineReading.UNKNOWN);
            assertThat(watched.lost()).startsWith("the watch at 127.0.0.1:");
        }
    }

    /** Its counters begin anew, and no difference to those before means anything. */
    @Test
    void aWatchOfAMachineThatWasRestartedIsLost() throws IOException {
        Steps steps = new Steps();
        try (WatchServer server = start(null, steps);
                WatchedMachine watched =
                        WatchClient.open(server.address(), null, "--target-watch")) {
            steps.step = -10;
            assertThat(watched.read()).isEqualTo(MachineReading.UNKNOWN);
            assertThat(watched.lost()).contains("started anew");
        }
    }

    @Test
    void whoIsNoWatchIsCalledThat() throws IOException {
        InetSocketAddress nobody;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            nobody = (InetSocketAddress) socket.getLocalSocketAddress();
        }
        assertThatThrownBy(() -> WatchClient.open(nobody, null, "--target-watch"))
                .isInstanceOf(UserError.class)
                .hasMessageMatching("--target-watch \\S+:\\d+ can't be reached \\(.+\\)");
        for (String body : List.of("not JSON", "{}", "[]", "{\"watch\": 3, \"machine\": 5}")) {
            try (AdminServer other = page(body)) {
                assertThatThrownBy(() -> WatchClient.open(other.address(), null, "--target-watch"))
                        .isInstanceOf(UserError.class)
                        .hasMessageContaining("is not a hubmark watch");
            }
        }
        try (AdminServer later = page("{\"watch\": 4, \"hubmark\": \"7.5\"}")) {
            assertThatThrownBy(() -> WatchClient.open(later.address(), null, "--target-watch"))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining(
                            "is hubmark 7.5, which speaks version 4 of the watch's form, and"
                                    + " this driver version 3")
                    .hasMessageContaining("run the same hubmark on both");
        }
    }

    private static AdminServer page(String body) throws IOException {
        return AdminServer.start(ANY_PORT, "a test", 4, fields -> null, new OnePage(body));
    }

    private record OnePage(String body) implements AdminServer.Pages {
        @Override
        public AdminServer.Page get(String path) {
            return AdminServer.Page.text(HttpResponseStatus.OK, body);
        }

        @Override
        public AdminServer.Page post(String path, String sent) {
            return get(path);
        }
    }

    /** A machine on which a second passes with each look. */
    private static final class Steps implements MachineSource {
        private long step;
        private boolean broken;

        @Override
        public MachineReading read() throws IOException {
            if (broken) {
                throw new IOException("the disk is gone");
            }
            step++;
            return new MachineReading(
                    step * 1_000_000_000,
                    step * 1_000,
                    new MachineCpu(step, 2 * step, 0, 0, Map.of(0, step)),
                    2,
                    new MachineReading.ProcessTimes(step, Map.of(), 0L, step),
                    null,
                    null,
                    null,
                    Map.of(),
                    null,
                    null);
        }
    }
}
