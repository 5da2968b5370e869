package org.hubmark.bench.qualify.pages;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicReference;

/** Proves that trees of pages do what a map does, also by several threads, and keep it over lives. */
class PageStoreTest {
    private static final long SEED = Long.getLong("hubmark.seed", 1);
    private static final long KEYS_MAX = 40_000;

    @TempDir
    private Path folder;

    static PageStore open(Path folder, PageCache cache) throws IOException, InterruptedException {
        return PageStore.open(
                folder.resolve("db"),
                folder.resolve("log"),
                2,
                false,
                cache,
                new FileOperations("I.1"));
    }

    /** {@return what a tree has; null for nothing} */
    static byte @Nullable [] get(PageStore store, Tree tree, long key)
            throws IOException, InterruptedException {
        return store.run(false, change -> Optional.ofNullable(tree.get(change, key)))
                .orElse(null);
    }

    private PageStore open(PageCache cache) throws IOException, InterruptedException {
        return open(folder, cache);
    }

    @Test
    void doesWhatAMapDoes() throws Exception {
        SplittableRandom random = new SplittableRandom(SEED);
        TreeMap<Long, byte[]> model = new TreeMap<>();
        try (PageCache cache = new PageCache(CacheMode.ALL, 0, 16 << 20)) {
            for (int life = 0; life < 3; life++) {
                try (PageStore store = open(cache)) {
                    for (int i = 0; i < 20_000; i++) {
                        one(store, model, random, 0);
                    }
                    same(store, model);
                }
            }
            try (PageStore store = open(cache)) {
                same(store, model);
            }
        }
    }

    @Test
    void keepsWhatSeveralThreadsDo() throws Exception {
        Map<Long, byte[]> all = new ConcurrentSkipListMap<>();
        try (PageCache cache = new PageCache(CacheMode.METADATA, 0, 16 << 20);
                PageStore store = open(cache)) {
            List<Thread> threads = new ArrayList<>();
            AtomicReference<Throwable> failure = new AtomicReference<>();
            for (int t = 0; t < 4; t++) {
                int number = t;
                threads.add(Thread.startVirtualThread(() -> {
                    SplittableRandom random = new SplittableRandom(SEED + number);
                    TreeMap<Long, byte[]> own = new TreeMap<>();
                    try {
                        for (int i = 0; i < 5_000; i++) {
                            one(store, own, random, number * 10_000L);
                        }
                        all.putAll(own);
                    } catch (Exception | AssertionError e) {
                        failure.set(e);
                    }
                }));
            }
            for (Thread thread : threads) {
                thread.join();
            }
            assertNull(failure.get());
            same(store, all);
        }
    }

    private static void one(
            PageStore store, Map<Long, byte[]> model, SplittableRandom random, long from)
            throws Exception {
        long key = from + random.nextInt(4_000);
        Tree tree = store.tree(1);
        switch (random.nextInt(3)) {
            case 0 -> {
                byte[] value = new byte[random.nextInt(Page.VALUE_BYTES_MAX + 1)];
                random.nextBytes(value);
                store.run(random.nextInt(50) == 0, change -> {
                    int pages = tree.prepare(change, key, 1, value.length);
                    change.requirePlaces(pages);
                    store.space().prepare(change, pages);
                    tree.put(change, key, value);
                    return true;
                });
                model.put(key, value);
            }
            case 1 -> {
                store.run(false, change -> {
                    store.space().prepare(change, 0);
                    tree.remove(change, key);
                    return true;
                });
                model.remove(key);
            }
            default -> {
                byte[] value = get(store, tree, key);
                assertArrayEquals(model.get(key), value, () -> "key " + key);
            }
        }
    }

    private static void same(PageStore store, Map<Long, byte[]> model) throws Exception {
        Map<Long, ByteBuffer> found = new TreeMap<>();
        Map<Long, ByteBuffer> expected = new TreeMap<>();
        model.forEach((key, value) -> expected.put(key, ByteBuffer.wrap(value)));
        for (long from = 0; from < KEYS_MAX; from += 100) {
            long first = from;
            var unused = store.run(false, change -> {
                store.tree(1)
                        .scan(
                                change,
                                first,
                                first + 99,
                                (key, value) -> found.put(key, ByteBuffer.wrap(value)));
                return true;
            });
        }
        assertEquals(expected, found);
    }
}
