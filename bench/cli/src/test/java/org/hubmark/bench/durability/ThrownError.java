package org.hubmark.bench.durability;

import org.hubmark.queue.SimulatedLogVolume;
import org.hubmark.queue.SimulatedLogVolume.Part;

import java.util.Random;

/**
 * An Error that is thrown at one of the places where the simulator can throw one, as where memory or stack
 * ends: in a write, a sync or a change of names of the log or of the content files, or in the queue
 * database. Any thread.
 */
final class ThrownError {
    private final SimulatedLogVolume volume;
    private final Part part;
    private volatile boolean thrown;

    /**
     * Has one thrown soon, once.
     *
     * @param operationsMax before one of so many operations of the log; the other parts have fewer
     */
    ThrownError(SimulatedLogVolume volume, Random random, int operationsMax) {
        this.volume = volume;
        boolean memory = random.nextBoolean();
        this.part = switch (random.nextInt(4)) {
            case 0 -> Part.CONTENT;
            case 1 -> Part.DATABASE;
            default -> Part.LOG;
        };
        int fewer = switch (part) {
            case LOG -> 1;
            case CONTENT, DATABASE -> 8;
        };
        volume.beforeOperation(part, 1 + random.nextInt(operationsMax) / fewer, () -> {
            thrown = true;
            throw memory ? new OutOfMemoryError("simulated") : new StackOverflowError("simulated");
        });
    }

    /** {@return whether it was thrown; if not by now, it never is} */
    boolean end() {
        volume.beforeOperation(part, Long.MAX_VALUE, () -> {});
        return thrown;
    }

    @Override
    public String toString() {
        return "an error in the " + part;
    }
}
