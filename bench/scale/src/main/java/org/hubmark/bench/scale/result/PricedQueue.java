package org.hubmark.bench.scale.result;

import com.fasterxml.jackson.annotation.JsonValue;

/** Where a hub whose price is measured has its queue. */
public enum PricedQueue {
    /** On the machine's volumes, synced. */
    VOLUMES("the volumes, synced", "volumes", 0, 0),
    /** On a cluster of one bookie and one broker. */
    ONE("Pulsar, one bookie", "one", 1, 1),
    /** On a cluster of four bookies and two brokers. */
    THREE("Pulsar, three copies of four bookies", "three", 4, 2);

    private final String text;
    private final String key;
    private final int bookies;
    private final int brokers;

    PricedQueue(String text, String key, int bookies, int brokers) {
        this.text = text;
        this.key = key;
        this.bookies = bookies;
        this.brokers = brokers;
    }

    /** {@return as tables have it} */
    @JsonValue
    public String text() {
        return text;
    }

    /** {@return as folders have it} */
    public String key() {
        return key;
    }

    /** {@return how many there are; 0 for no cluster} */
    public int bookies() {
        return bookies;
    }

    /** {@return how many there are; 0 for no cluster} */
    public int brokers() {
        return brokers;
    }
}
