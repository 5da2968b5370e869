package org.hubmark.bench.qualify.pages;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.SplittableRandom;

/**
 * Changes a store until it is killed. After each transaction that waits it says the number of the last one:
 * all up to there have to be there. The value of a key is made of the number of the transaction that put it.
 */
final class PageWriterMain {
    static final int KEYS = 6_000;
    private static final int WAITS_EVERY = 5;
    private static final int DELETES_EVERY = 4;

    private PageWriterMain() {}

    /** Arguments: folder, number of the first transaction. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path folder = Path.of(arguments[0]);
        long number = Long.parseLong(arguments[1]);
        try (PageCache cache = new PageCache(CacheMode.ALL, 0, 16 << 20);
                PageStore store = PageStoreTest.open(folder, cache)) {
            while (true) {
                boolean waits = number % WAITS_EVERY == 0;
                change(store, number, waits);
                if (waits) {
                    System.out.println(number);
                }
                number++;
            }
        }
    }

    private static void change(PageStore store, long number, boolean waits)
            throws IOException, InterruptedException {
        long key = key(number);
        byte[] value = value(number);
        Tree tree = store.tree(1);
        store.run(waits, change -> {
            int pages = tree.prepare(change, key, 1, value.length)
                    + store.tree(0).prepare(change, 0, 1, Long.BYTES);
            change.requirePlaces(pages);
            store.space().prepare(change, pages);
            if (value.length == 0) {
                tree.remove(change, key);
            } else {
                tree.put(change, key, value);
            }
            store.tree(0).put(change, 0, octets(number));
            return true;
        });
    }

    static byte[] octets(long number) {
        return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
    }

    /** {@return the key that a transaction changes} */
    static long key(long number) {
        return new SplittableRandom(number).nextInt(KEYS);
    }

    /** {@return what it puts there; nothing when it takes the value away} */
    static byte[] value(long number) {
        SplittableRandom random = new SplittableRandom(number);
        random.nextInt(KEYS);
        if (number % DELETES_EVERY == 0) {
            return new byte[0];
        }
        byte[] value = new byte[1 + random.nextInt(Page.VALUE_BYTES_MAX)];
        random.nextBytes(value);
        return value;
    }
}
