package org.hubmark.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.hubmark.core.StoreException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Proves that a volume has one user at a time, also while users come and take the file with them. */
class StoreLockTest {
    private static final int PROCESSES = 3;
    private static final int ROUNDS = 2000;

    @TempDir
    private Path folder;

    @Test
    void saysWhoUsesAVolume() throws IOException {
        Path volume = folder.resolve("volume");
        assertThat(StoreLock.holder(volume)).isEmpty();
        assertThat(volume).doesNotExist();
        String process = String.valueOf(ProcessHandle.current().pid());
        try (StoreLock lock = StoreLock.acquire(volume)) {
            assertThat(lock).isNotNull();
            assertThat(StoreLock.holder(volume)).contains(process);
            assertThatThrownBy(() -> StoreLock.acquire(volume))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("in use by process " + process);
        }
        assertThat(StoreLock.holder(volume)).isEmpty();
        assertThat(volume.resolve(StoreLock.FILE)).exists();
        StoreLock.acquire(volume).remove();
        assertThat(volume).isEmptyDirectory();
    }

    @Test
    void aRemovedFileLocksNothing() throws Exception {
        List<Process> all = new ArrayList<>();
        for (int i = 0; i < PROCESSES; i++) {
            all.add(ChildJvm.of(List.of(), Visitor.class, folder).inheritIO().start());
        }
        try {
            for (Process one : all) {
                assertThat(one.waitFor()).isZero();
            }
        } finally {
            all.forEach(Process::destroyForcibly);
        }
        assertThat(folder).isEmptyDirectory();
    }

    /** Uses a volume again and again; fails when it isn't alone there. */
    static final class Visitor {
        private Visitor() {}

        public static void main(String[] folder) throws IOException {
            Path volume = Path.of(folder[0]);
            for (int done = 0; done < ROUNDS; ) {
                StoreLock lock;
                try {
                    lock = StoreLock.acquire(volume);
                } catch (StoreException e) {
                    continue;
                }
                Path mine = Files.createFile(volume.resolve("mine"));
                Files.delete(mine);
                lock.remove();
                done++;
            }
        }
    }
}
