package org.hubmark.bench.mail.meter;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * The order of measuring: each repeat is a block in which everything is measured once, in a random
 * order of its own, so that neither what drifts on the machine nor what a measurement leaves behind
 * for the next one always meets the same.
 *
 * @param seed the same seed gives the same orders
 */
public record RandomBlocks(long seed) {
    /**
     * {@return all, in the order of a repeat}
     *
     * @param repeat counts from 1
     */
    public <T> List<T> order(List<T> all, int repeat) {
        Random random = new Random(seed);
        List<T> order = new ArrayList<>(all);
        for (int block = 1; block <= repeat; block++) {
            Collections.shuffle(order, random);
        }
        return order;
    }
}
