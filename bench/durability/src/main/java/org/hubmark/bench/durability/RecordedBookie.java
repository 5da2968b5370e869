package org.hubmark.bench.durability;

import org.hubmark.bench.machine.volumes.SystemTool;
import org.hubmark.core.UserError;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Random;

/**
 * The disk of a bookie whose power can be cut: journal and ledgers lie on one recorded device. The bookie
 * finds its files below the same path before and after a cut, because it refuses folders of another name.
 * Takes root. One thread.
 */
final class RecordedBookie implements AutoCloseable {
    private final Recorder recorder;
    private final Path folder;
    private final Path shown;
    private boolean ignoresFlushes;
    private int cuts;

    private RecordedBookie(Recorder recorder, Path folder) {
        this.recorder = recorder;
        this.folder = folder;
        this.shown = folder.resolve("disk");
    }

    /**
     * Makes the disk.
     *
     * @param folder absent or empty
     */
    static RecordedBookie create(Path folder, Random random)
            throws IOException, InterruptedException {
        Files.createDirectories(folder);
        Recorder recorder =
                Recorder.create(folder.resolve("recorder"), Layout.ofBookie(random.nextLong()));
        RecordedBookie made = new RecordedBookie(recorder, folder);
        boolean done = false;
        try {
            made.show(recorder.data());
            done = true;
            return made;
        } finally {
            if (!done) {
                recorder.close();
            }
        }
    }

    /** {@return the folder that holds the folder of the bookie} */
    Path folder() {
        return shown;
    }

    /**
     * Flushes what a bookie writes when it starts for the first time. It does not flush its cookie, without
     * which it never starts again: a cut in its first seconds says nothing of mail.
     */
    void sync() throws IOException {
        var unused = SystemTool.run(List.of("sync", "-f", shown.toRealPath().toString()));
    }

    /** From now on a flush is acknowledged and nothing more, so that mail must be lost. */
    void ignoreFlushes() throws IOException {
        recorder.ignoreFlushes();
        ignoresFlushes = true;
    }

    /**
     * Cuts the power; from then on the folder shows what was on the disk. The bookie has been killed
     * before: what it had acknowledged after the cut would be missing rightly.
     *
     * @return how many writes had not been flushed, in the cache of the disk or of the system
     * @throws UserError if nothing is left of the file system because flushes were ignored
     */
    long cut(Random random) throws IOException, InterruptedException {
        int before = cuts;
        cuts++;
        if (before == 0) {
            recorder.cut(cuts, random.nextLong());
        } else {
            recorder.cutAgain(before, cuts, random.nextLong());
        }
        long unflushed = recorder.unflushed(before, cuts);
        if (before > 0) {
            recorder.unmount();
        }
        show(mounted(random.nextBoolean()));
        if (before > 0) {
            recorder.drop(before);
        }
        return unflushed;
    }

    private Path mounted(boolean repaired) throws IOException, InterruptedException {
        try {
            return recorder.mount(cuts, repaired);
        } catch (IOException e) {
            if (!ignoresFlushes) {
                throw e;
            }
            throw UserError.failed(
                    "a bookie's file system did not survive the power cut: " + e.getMessage());
        }
    }

    @Override
    public void close() {
        recorder.close();
    }

    private void show(Path data) throws IOException {
        Path link = folder.resolve("link");
        Files.createSymbolicLink(link, data);
        Files.move(
                link, shown, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
