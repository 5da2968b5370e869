package org.hubmark.bench.cli;

import org.awaitility.Awaitility;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

/** What a hub makes beside its answers: a listing of its folders before that is no picture of rest. */
final class BackgroundFiles {
    private BackgroundFiles() {}

    /** Waits for the log's next segment and the head of the tracking log's first file. */
    static void awaitIn(Path logVolume, Path trackingVolume) {
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> {
            try (Stream<Path> tracking = Files.list(trackingVolume)) {
                return Files.exists(logVolume.resolve("segments/segment-000002.log"))
                        && tracking.anyMatch(file ->
                                Files.isRegularFile(file) && file.toFile().length() > 0);
            }
        });
    }
}
