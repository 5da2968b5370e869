package org.hubmark.bench.qualify.pages;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** A process that changes a store is killed again and again: nothing that it acknowledged is lost, no page is torn. */
class PageKillTest {
    @TempDir
    private Path folder;

    @Test
    void twoKillsLoseNothing() throws Exception {
        kill(2, Long.getLong("hubmark.seed", 1));
    }

    @Test
    @Tag("long")
    void fiftyKillsLoseNothing() throws Exception {
        kill(50, Long.getLong("hubmark.seed", 1));
    }

    private void kill(int times, long seed) throws Exception {
        System.out.println("seed " + seed);
        SplittableRandom random = new SplittableRandom(seed);
        Map<Long, Long> lastOfKey = new HashMap<>();
        long begun = 0;
        for (int i = 0; i < times; i++) {
            long acknowledged = killed(begun, random.nextInt(1, 1000));
            long last;
            try (PageCache cache = new PageCache(CacheMode.ALL, 0, 16 << 20);
                    PageStore store = PageStoreTest.open(folder, cache)) {
                last = last(store);
                assertTrue(
                        last >= acknowledged,
                        () -> "acknowledged " + acknowledged + ", there up to " + last);
                for (long number = begun; number <= last; number++) {
                    lastOfKey.put(PageWriterMain.key(number), number);
                }
                begun = Math.max(begun, last + 1);
                for (Map.Entry<Long, Long> entry : lastOfKey.entrySet()) {
                    byte[] value = PageWriterMain.value(entry.getValue());
                    long key = entry.getKey();
                    byte[] found = PageStoreTest.get(store, store.tree(1), key);
                    assertArrayEquals(value.length == 0 ? null : value, found, () -> "key " + key);
                }
            }
            sound();
        }
    }

    private static long last(PageStore store) throws IOException, InterruptedException {
        byte[] last = PageStoreTest.get(store, store.tree(0), 0);
        return last == null ? -1 : ByteBuffer.wrap(last).getLong();
    }

    /**
     * {@return the number of the last transaction that a writer acknowledged before it was killed}
     *
     * @param acknowledgements after which it is killed
     */
    private long killed(long from, int acknowledgements) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(List.of(
                        ProcessHandle.current().info().command().orElse("java"),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        PageWriterMain.class.getName(),
                        folder.toString(),
                        Long.toString(from)))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        long acknowledged = -1;
        try (BufferedReader said = new BufferedReader(
                new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            // It goes on meanwhile: where the kill meets it is left to chance.
            int lines = 0;
            String line = said.readLine();
            while (line != null && line.matches("[0-9]+")) {
                acknowledged = Long.parseLong(line);
                lines++;
                if (lines == acknowledgements) {
                    // By its handle, so that what it has said can still be read.
                    assertTrue(process.toHandle().destroyForcibly());
                }
                line = said.readLine();
            }
        }
        process.waitFor();
        return acknowledged;
    }

    /** Every page of the file that was ever written is whole. */
    private void sound() throws IOException {
        try (FileChannel file = FileChannel.open(folder.resolve("db").resolve(PageStore.FILE))) {
            ByteBuffer page = ByteBuffer.allocate(Page.BYTES);
            for (long number = 0; number < file.size() / Page.BYTES; number++) {
                page.clear();
                file.read(page, number * Page.BYTES);
                boolean isEmpty = Page.number(page) == 0 && number > 0;
                long its = number;
                assertTrue(isEmpty || Page.isSound(page, number), () -> "page " + its + " is torn");
            }
        }
    }
}
