package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import org.hubmark.bench.cli.CommandProcess.Ended;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A hub says in one line why it doesn't start, and makes a queue only where it may. */
final class ServeCommandTest {
    @TempDir
    private Path folder;

    @Test
    void makesAQueueOnlyWhereItMay() throws Exception {
        Ended refused = serve("--listen=127.0.0.1:0", "--existing-only");
        assertThat(refused.exitCode()).as("%s", refused).isEqualTo(1);
        assertThat(refused.errors())
                .singleElement(STRING)
                .contains("there is no queue", "check the two folders, and that they are mounted")
                .contains("leave existing-only out for the first start");
        assertThat(folder.resolve("hubmark-data/log")).doesNotExist();
        try (CommandProcess hub =
                CommandProcess.start(folder, "serve", "--listen", "127.0.0.1:0")) {
            hub.listening();
            hub.terminate();
            assertThat(hub.end().exitCode()).isZero();
        }
        try (CommandProcess hub = CommandProcess.start(
                folder, "serve", "--listen", "127.0.0.1:0", "--existing-only")) {
            hub.listening();
            hub.terminate();
            // It made nothing, so it says nothing.
            assertThat(hub.end()).isEqualTo(new Ended(0, List.of(), List.of()));
        }
    }

    @Test
    void saysThatThePortIsInUse() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String address = "127.0.0.1:" + taken.getLocalPort();
            Ended ended = serve("--listen=" + address);
            assertThat(ended.exitCode()).isEqualTo(1);
            assertThat(ended.out()).isEmpty();
            assertThat(ended.errors())
                    .singleElement()
                    .asString()
                    .contains("listen on " + address + ":", "in use");
            assertThat(folder.resolve("hubmark-data")).doesNotExist();
        }
    }

    @Test
    void saysThatAFolderWontDo() throws Exception {
        Files.createFile(folder.resolve("file"));
        for (String option :
                List.of("--log-volume", "--queue-volume", "--tracking-volume", "--deliver")) {
            String value = (option.equals("--deliver") ? "directory:" : "")
                    + folder.resolve("file/folder");
            List<String> options = new ArrayList<>(CommandInJvm.volumes(folder));
            options.removeIf(volume -> volume.startsWith(option));
            Ended ended = CommandInJvm.run(
                    "serve", options, "--listen=127.0.0.1:0", option + "=" + value);
            assertThat(ended.exitCode()).as(option).isEqualTo(1);
            assertThat(ended.errors()).as(option).singleElement().asString().contains("file");
        }
    }

    /** Rather than refuse every message for want of room. */
    @Test
    void saysThatAVolumeIsTooSmallForItsDepth() throws Exception {
        Ended ended = serve("--listen=127.0.0.1:0", "--checkpoint-depth=100000GB");
        assertThat(ended.exitCode()).isEqualTo(1);
        assertThat(ended.out()).isEmpty();
        assertThat(ended.errors())
                .singleElement(STRING)
                .contains("hubmark-data/log", " MB; take a smaller depth or a larger volume");
        assertThat(folder.resolve("hubmark-data")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--listen nowhere",
                "--listen 127.0.0.1:99999",
                "--deliver smtp://127.0.0.1:99999",
                "--durability maybe",
                "--checkpoint-depth 1KB",
                "--checkpoint-depth 512",
                "--checkpoint-depth lots",
                "--intake bin",
                "--max-message-size huge",
                "--set smtp.nonsense=1",
                "--set smtp.recipients-max=3",
                "--what"
            })
    void refusesWrongUsage(String arguments) throws Exception {
        List<String> all = new ArrayList<>();
        if (!arguments.startsWith("--listen")) {
            all.add("--listen=127.0.0.1:0");
        }
        all.addAll(List.of(arguments.split(" ", -1)));
        Ended ended = serve(all.toArray(String[]::new));
        assertThat(ended.exitCode()).as("%s", ended).isEqualTo(2);
        assertThat(ended.out()).isEmpty();
        assertThat(ended.errors()).singleElement().asString().startsWith("hubmark: ");
    }

    /** {@return how a hub ends that does not start} Its volumes would be in the folder. */
    private Ended serve(String... arguments) throws Exception {
        return CommandInJvm.run("serve", CommandInJvm.volumes(folder), arguments);
    }
}
