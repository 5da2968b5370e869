package org.hubmark.pulsar;

import org.apache.pulsar.client.api.MessageId;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The last messages whose leases have ended for good. A broker keeps the ends of leases with a delay (by
 * default once a second): the one that takes over after a crash hands out what had ended in between.
 * Any thread.
 */
final class EndedLeases {
    /** Some seconds of the fastest hub, and some megabytes. */
    static final int MESSAGES_MAX = 65_536;

    private final Map<MessageId, Boolean> ended = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<MessageId, Boolean> eldest) {
            return size() > MESSAGES_MAX;
        }
    };

    synchronized void add(MessageId message) {
        ended.put(message, Boolean.TRUE);
    }

    synchronized boolean contains(MessageId message) {
        return ended.containsKey(message);
    }
}
