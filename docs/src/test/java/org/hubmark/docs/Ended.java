package org.hubmark.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A process that has ended. */
record Ended(int code, String out, String err) {
    private static final int SECONDS_MAX = 120;

    /** Runs a command to its end, in a folder, with some variables beside those of this process. */
    static Ended of(Path at, Map<String, String> environment, String... command) throws Exception {
        Path out = Files.createTempFile("ended", ".out");
        Path err = Files.createTempFile("ended", ".err");
        try {
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(at.toFile())
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile());
            builder.environment().putAll(environment);
            Process process = builder.start();
            process.outputWriter().close();
            boolean inTime = process.waitFor(SECONDS_MAX, TimeUnit.SECONDS);
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
            Ended ended = new Ended(
                    process.waitFor(),
                    Files.readString(out).strip(),
                    Files.readString(err).strip());
            assertThat(inTime).as("ended in time: %s", ended).isTrue();
            return ended;
        } finally {
            Files.delete(out);
            Files.delete(err);
        }
    }
}
