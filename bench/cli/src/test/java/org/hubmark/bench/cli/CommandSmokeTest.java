package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.cli.CommandProcess.Ended;
import org.hubmark.bench.load.SinkServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Proves that each command of the command line works in a process of its own, as a user would start it: by
 * its shortest real run, its exit code and a line that only it says. A test has the name of its command.
 * What a command does exactly is proved elsewhere, mostly in one JVM.
 */
@Timeout(240)
final class CommandSmokeTest {
    /** Commands whose processes other tests start, and which. */
    private static final Map<String, Class<?>> ELSEWHERE = Map.of(
            "run", RunTest.class,
            "durability", DurabilityCommandTest.class,
            "test", ScriptTest.class,
            "install", ScriptTest.class,
            "package", ScriptTest.class,
            "mvn", ScriptTest.class);

    private static final Path RECORDED = Path.of(
            System.getProperty("hubmark.root"), "bench/mail/src/test/resources/golden/sustained");

    private static final byte[] MESSAGE =
            "Subject: test\r\n\r\n.\r\ntext\r\n".getBytes(StandardCharsets.US_ASCII);

    @TempDir
    private Path folder;

    @Test
    void everyCommandHasOne() {
        TreeSet<String> missing =
                new TreeSet<>(Main.commandLine().getSubcommands().keySet());
        missing.removeAll(ELSEWHERE.keySet());
        Arrays.stream(CommandSmokeTest.class.getDeclaredMethods())
                .filter(method -> method.isAnnotationPresent(Test.class))
                .map(method ->
                        method.getName().replaceAll("(?=[A-Z])", "-").toLowerCase(Locale.ROOT))
                .forEach(missing::remove);
        assertThat(missing).as("commands without a test of their name here").isEmpty();
    }

    /** It drains on SIGTERM: what it has acknowledged and not delivered is in the queue. */
    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void serve() throws Exception {
        String id;
        try (CommandProcess hub =
                CommandProcess.start(folder, "serve", "--listen", "127.0.0.1:0")) {
            InetSocketAddress address = hub.listening();
            try (TestClient client = new TestClient(address)) {
                id = client.send(MESSAGE);
                hub.terminate();
                assertThat(hub.end()).isEqualTo(new Ended(0, List.of(), List.of()));
            }
        }
        Ended list = CommandInJvm.run("queue list", CommandInJvm.queueVolumes(folder));
        assertThat(list.exitCode()).as("%s", list).isZero();
        assertThat(list.out()).hasSize(2);
        assertThat(list.out().getLast()).startsWith(id);
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void queue() throws Exception {
        try (CommandProcess hub = CommandProcess.start(folder, "serve", "--listen", "127.0.0.1:0");
                TestClient client = new TestClient(hub.listening())) {
            String id = client.send(MESSAGE);
            Ended list = good("queue", "list");
            assertThat(list.out()).hasSize(2);
            assertThat(list.out().getLast()).startsWith(id);
        }
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void sink() throws Exception {
        try (CommandProcess sink =
                CommandProcess.start(folder, "sink", "--listen", "127.0.0.1:0")) {
            try (TestClient client = new TestClient(sink.listening())) {
                client.send(MESSAGE);
            }
            sink.terminate();
            Ended ended = sink.end();
            assertThat(ended.exitCode()).as("%s", ended).isZero();
            assertThat(ended.out()).singleElement().asString().startsWith("1 messages taken (");
        }
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void load() throws Exception {
        try (SinkServer sink = SinkServer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                SinkServer.Behaviour.willing())) {
            Ended ended = good(
                    "load",
                    // Beside the others here.
                    "--shared-machine",
                    "--target=127.0.0.1:" + sink.address().getPort(),
                    "--sizes=4KB",
                    "--count=20",
                    "--driver-warmup=0s",
                    "--repeat=1",
                    "--connections=2");
            assertThat(ended.printed()).contains(": 20 sent, 20 accepted, 0 refused, 0 failed");
        }
    }

    /** Nothing of it is left when its input ends. */
    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void watch() throws Exception {
        try (CommandProcess watch = CommandProcess.startUnder(
                List.of("sh", "-c", "echo | \"$@\"", "sh"), folder, "watch", "--stdio")) {
            Ended ended = watch.end();
            assertThat(ended.exitCode()).as("%s", ended).isZero();
            assertThat(ended.out()).hasSize(2).first().asString().startsWith("{\"watch\":");
            assertThat(ended.out().getLast()).startsWith("{\"monotonic_nanos\":");
        }
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void volumes() throws Exception {
        Ended ended = good("volumes", "inspect", ".");
        assertThat(ended.out()).contains(".").anyMatch(line -> line.startsWith("  file system "));
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void matrix() throws Exception {
        Ended ended = measured(
                "matrix",
                "--shared-machine",
                "--layouts=one",
                "--sizes=4KB",
                "--rate=50",
                "--duration=1s",
                "--warmup=100ms",
                "--warmup-max=100ms",
                "--driver-warmup=0s",
                "--repeat=1",
                "--no-ceilings",
                "--connections=2",
                "--checkpoint-depth=16MB",
                // Those that it would make by itself, where it may, are large.
                "--log-volume=l",
                "--queue-volume=q",
                "--tracking-volume=t",
                "--output=out");
        assertThat(ended.complaint()).contains("1 cell, each measured 1 time");
        assertThat(folder.resolve("out/results.json")).isNotEmptyFile();
        assertThat(folder.resolve("out/report.html")).isNotEmptyFile();
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void qualify() throws Exception {
        Files.createDirectory(folder.resolve("db"));
        Files.createDirectory(folder.resolve("log"));
        Ended ended = measured(
                "qualify",
                "--database-volume=db",
                "--log-volume=log",
                "--databases=1",
                "--database-size=32MB",
                "--cache-min=1MiB",
                "--cache-max=16MiB",
                "--mix=insert=3,delete=2,read=95",
                "--threads=1",
                "--phases=performance",
                "--duration=1s",
                "--loop=closed",
                "--read-latency=1h",
                "--read-latency-max=1h",
                "--log-latency=1h",
                "--log-latency-max=1h",
                "--shared-machine",
                "--target-iops=1",
                "--output=out");
        assertThat(ended.printed()).contains(": performance ");
        assertThat(folder.resolve("out/qualification.json")).isNotEmptyFile();
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void users() throws Exception {
        Ended ended = measured(
                "users",
                "--users=16",
                "--compress=1200",
                "--warmup=500ms",
                "--duration=4s",
                "--limit=1m",
                "--send-limit=1m",
                "--shared-machine",
                "--output=out");
        assertThat(ended.complaint()).contains("users: profile medium, its day 1200 times as fast");
        assertThat(ended.printed())
                .containsAnyOf("holds 16 sessions, the load of 19,200 users", "No level passed");
        assertThat(folder.resolve("out/users.json")).isNotEmptyFile();
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void plan() throws Exception {
        Ended ended = good(
                "plan", "--users=1000", "--iops-per-user=1", "--disk-iops=100", "--output=out");
        assertThat(ended.printed()).startsWith("drives needed: 16\n");
        assertThat(folder.resolve("out/plan.json")).isNotEmptyFile();
    }

    /** No cluster can be had here; bench/scale proves what it does where one can. */
    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void cluster() throws Exception {
        Ended ended = CommandProcess.run(folder, "cluster", "status", "--folder=nowhere");
        assertThat(ended.exitCode()).as("%s", ended).isEqualTo(1);
        assertThat(ended.errors()).containsExactly("hubmark: there is no cluster in nowhere");
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void scaleOut() throws Exception {
        Ended ended = CommandProcess.run(folder, "scale-out", "--hosts=17", "--output=out");
        assertThat(ended.exitCode()).as("%s", ended).isEqualTo(2);
        assertThat(ended.complaint()).startsWith("hubmark: --hosts 17: 1 to 16");
        assertThat(folder.resolve("out")).doesNotExist();
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void report() throws Exception {
        copyRecorded();
        good("report", "run");
        assertThat(folder.resolve("run/report.html")).isNotEmptyFile();
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void compare() throws Exception {
        copyRecorded();
        assertThat(good("compare", "run", "run").out().getFirst()).isEqualTo("A: run");
    }

    /** One of those that need no volume; its JVMs have a temporary folder of their own, where JMH's lock is. */
    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void micro() throws Exception {
        List<String> starter = List.of("env", "JDK_JAVA_OPTIONS=-Djava.io.tmpdir=" + folder);
        try (CommandProcess micro = CommandProcess.startUnder(
                starter,
                folder,
                "micro",
                "DataDecoderBenchmark.decode",
                "-f",
                "1",
                "-wi",
                "0",
                "-i",
                "1",
                "-r",
                "200ms",
                "-p",
                "messageBytes=4000",
                "-p",
                "text=DOTS",
                "-p",
                "textScan=words")) {
            Ended ended = micro.end();
            assertThat(ended.exitCode()).as("%s", ended).isZero();
            assertThat(ended.out().getLast()).startsWith("DataDecoderBenchmark.decode");
        }
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void completion() throws Exception {
        assertThat(good("completion").printed()).contains("complete -F _complete_hubmark");
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void version() throws Exception {
        assertThat(good("--version").out()).containsExactly("hubmark " + Main.version());
    }

    /** Whether the machine holds the load beside all else that runs here is none of this; a verdict has its reason. */
    private Ended measured(String... arguments) throws Exception {
        Ended ended = CommandProcess.run(folder, arguments);
        assertThat(ended.exitCode()).as("%s", ended).isIn(0, 3);
        assertThat(ended.printed() + ended.complaint())
                .containsPattern(ended.exitCode() == 0 ? "." : "not valid: |not judged: |fail: ");
        return ended;
    }

    private Ended good(String... arguments) throws Exception {
        Ended ended = CommandProcess.run(folder, arguments);
        assertThat(ended.exitCode()).as("%s", ended).isZero();
        return ended;
    }

    /** A recorded run, into a folder that a command may write to. */
    private void copyRecorded() throws IOException {
        Path copy = Files.createDirectory(folder.resolve("run"));
        List<Path> files = new ArrayList<>();
        try (Stream<Path> all = Files.list(RECORDED)) {
            all.forEach(files::add);
        }
        for (Path file : files) {
            Files.copy(file, copy.resolve(file.getFileName()));
        }
    }
}
