package org.hubmark.bench.qualify.reuse;

import java.util.Arrays;

/**
 * Pages in the order in which they were last read: a Fenwick tree (P. M. Fenwick, "A New Data Structure for
 * Cumulative Frequency Tables", 1994), in which each operation takes the logarithm of its length. One thread.
 */
final class ReadOrder {
    private final int[] tree;
    private int used;
    private int total;

    ReadOrder(int positions) {
        tree = new int[positions + 1];
    }

    boolean isFull() {
        return used == tree.length - 1;
    }

    /** Puts a page at the end. Returns its position. */
    int add() {
        used++;
        change(used, 1);
        return used;
    }

    void remove(int position) {
        change(position, -1);
    }

    private void change(int position, int by) {
        total += by;
        for (int at = position; at < tree.length; at += at & -at) {
            tree[at] += by;
        }
    }

    /** {@return the number of pages behind a position} */
    int after(int position) {
        int upTo = 0;
        for (int at = position; at > 0; at -= at & -at) {
            upTo += tree[at];
        }
        return total - upTo;
    }

    void clear() {
        Arrays.fill(tree, 0);
        used = 0;
        total = 0;
    }
}
