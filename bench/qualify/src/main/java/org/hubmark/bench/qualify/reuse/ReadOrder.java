package org.hubmark.bench.qualify.reuse;

import java.util.Arrays;

/**
 * Octets of blocks in the order in which they were last read: a Fenwick tree (P. M. Fenwick, "A New Data
 * Structure for Cumulative Frequency Tables", 1994), in which each operation takes the logarithm of its
 * length. One thread.
 */
final class ReadOrder {
    private final long[] tree;
    private int used;
    private long total;

    ReadOrder(int positions) {
        tree = new long[positions + 1];
    }

    boolean isFull() {
        return used == tree.length - 1;
    }

    /** Puts a block at the end. Returns its position. */
    int add(int bytes) {
        used++;
        change(used, bytes);
        total += bytes;
        return used;
    }

    void remove(int position, int bytes) {
        change(position, -bytes);
        total -= bytes;
    }

    private void change(int position, long bytes) {
        for (int at = position; at < tree.length; at += at & -at) {
            tree[at] += bytes;
        }
    }

    /** {@return the octets of all blocks behind a position} */
    long after(int position) {
        long upTo = 0;
        for (int at = position; at > 0; at -= at & -at) {
            upTo += tree[at];
        }
        return total - upTo;
    }

    /** {@return the octets of all blocks} */
    long total() {
        return total;
    }

    void clear() {
        Arrays.fill(tree, 0);
        used = 0;
        total = 0;
    }
}
