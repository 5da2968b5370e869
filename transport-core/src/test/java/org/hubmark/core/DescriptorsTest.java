package org.hubmark.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Proves that a process without a file descriptor knows it. */
@Timeout(60)
@EnabledOnOs(OS.LINUX)
class DescriptorsTest {

    @Test
    void aFailureForAnotherReasonIsNoLackOfDescriptors() {
        assertThat(FileErrors.isOutOfDescriptors(new NoSuchFileException("/x"))).isFalse();
        assertThat(FileErrors.isOutOfDescriptors(new ConnectException("refused")))
                .isFalse();
        assertThat(FileErrors.descriptorsMax()).isPositive();
    }

    @Test
    void aProcessThatHasOpenedAllKnowsIt() throws Exception {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process process = new ProcessBuilder(
                        "sh",
                        "-c",
                        "ulimit -n 200 && exec \"$0\" -cp \"$1\" \"$2\"",
                        java,
                        System.getProperty("java.class.path"),
                        OpensAll.class.getName())
                .redirectErrorStream(true)
                .start();
        String output;
        try (InputStream out = process.getInputStream()) {
            output = new String(out.readAllBytes(), StandardCharsets.UTF_8);
        }
        assertThat(process.waitFor()).as(output).isZero();
        assertThat(output).contains("before false", "then true", "after false");
    }

    /** Opens files until it can't. */
    static final class OpensAll {
        private OpensAll() {}

        public static void main(String[] args) throws IOException {
            // Classes are loaded while that is possible.
            System.out.println("before " + FileErrors.isOutOfDescriptors(new IOException("x")));
            List<InputStream> open = new ArrayList<>();
            boolean without = false;
            try {
                for (int i = 0; i < 1000; i++) {
                    open.add(Files.newInputStream(Path.of("/dev/null")));
                }
            } catch (IOException e) {
                without = FileErrors.isOutOfDescriptors(e);
            }
            for (InputStream file : open) {
                file.close();
            }
            System.out.println("then " + without);
            System.out.println("after " + FileErrors.isOutOfDescriptors(new IOException("x")));
        }
    }
}
