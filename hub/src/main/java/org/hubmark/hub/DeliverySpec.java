package org.hubmark.hub;

import org.hubmark.core.DeliveryAgent;

import java.nio.file.Path;

/** Where queued mail goes. */
public sealed interface DeliverySpec {
    /** Each message is delivered by throwing it away. */
    record Discard() implements DeliverySpec {
        @Override
        public String toString() {
            return "discard";
        }
    }

    /** Nothing is tried: every message stays in the queue. */
    record Hold() implements DeliverySpec {
        @Override
        public String toString() {
            return "hold";
        }
    }

    /**
     * Each message becomes two files in a folder.
     *
     * @param folder made if absent
     */
    record Directory(Path folder) implements DeliverySpec {
        @Override
        public String toString() {
            return "directory:" + folder;
        }
    }

    /**
     * Each message goes to an agent of the embedder's.
     *
     * @param agent called on delivery threads, several at once; closed with the hub
     */
    record Own(DeliveryAgent agent) implements DeliverySpec {
        @Override
        public String toString() {
            return "own:" + agent.getClass().getName();
        }
    }

    /**
     * Reads {@code discard}, {@code hold} or {@code directory:DIR}.
     *
     * @throws IllegalArgumentException naming what is allowed
     */
    static DeliverySpec parse(String text) {
        return switch (text) {
            case "discard" -> new Discard();
            case "hold" -> new Hold();
            default -> {
                if (text.startsWith("directory:") && text.length() > "directory:".length()) {
                    yield new Directory(Path.of(text.substring("directory:".length())));
                }
                throw new IllegalArgumentException(
                        "'" + text + "' is not a delivery (discard, hold, directory:DIR)");
            }
        };
    }
}
