package org.hubmark.bench.durability;

import org.hubmark.bench.machine.volumes.PreloadLibrary;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;

/** Clocks of a cluster's processes, each of which can be wrong by itself. One thread. */
final class SkewedClocks implements AutoCloseable {
    /** From a second to 28 hours, as likely in each decade. */
    private static final double DECADES = 5;

    private final PreloadLibrary library;
    private final Path folder;
    private final Map<String, FaultControl> controls = new HashMap<>();

    /** Builds the library. */
    SkewedClocks(Path folder) throws IOException {
        this.folder = Files.createDirectories(folder);
        this.library = PreloadLibrary.in(folder);
    }

    /** {@return the variables of a process whose clock can be wrong} */
    Map<String, String> environment(String process) throws IOException {
        FaultControl control = controls.get(process);
        if (control == null) {
            control = FaultControl.open(library, folder.resolve(process));
            controls.put(process, control);
        }
        // No file of the process is in it: only its clock is to have faults.
        return control.environment(folder, null);
    }

    /** {@return by how much a clock is going to be wrong, before or behind} */
    static Duration draw(Random random) {
        long millis = (long) (1000 * Math.pow(10, random.nextDouble() * DECADES));
        return Duration.ofMillis(random.nextBoolean() ? millis : -millis);
    }

    /**
     * Lets a clock be wrong for a time.
     *
     * @return how often the process looked at it meanwhile
     */
    long skew(String process, Duration offset, Duration hold)
            throws IOException, InterruptedException {
        FaultControl control = controls.get(process);
        if (control == null) {
            throw new IllegalArgumentException(process);
        }
        long before = control.struck();
        control.stepClock(offset);
        try {
            Thread.sleep(hold);
        } finally {
            control.stepClock(Duration.ZERO);
        }
        return control.struck() - before;
    }

    @Override
    public void close() throws IOException {
        for (FaultControl control : controls.values()) {
            control.close();
        }
    }
}
