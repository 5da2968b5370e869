package org.hubmark.bench.machine.volumes;

import org.hubmark.core.OutputFile;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Makes syncs, and reads past the page cache, below given folders take as long as on other devices,
 * in processes that are started with its environment. Done by a library that is preloaded, so that
 * it needs no privileges.
 */
public final class SyncEmulation {
    /** Names the file with the devices; set in a process that the emulation is active in. */
    public static final String VARIABLE = "HUBMARK_DEVICES";

    private final PreloadLibrary library;
    private final Path rules;

    /** As the library has it: struct shared_clock. */
    private static final int CLOCK_BYTES = 14 * Long.BYTES;

    private static final int CLOCK_SYNCS = 5 * Long.BYTES;

    private static final int CLOCK_READS = 12 * Long.BYTES;

    /** Fields of a line: seven numbers and the folder. */
    private static final int FIELDS = 8;

    private static final int STRIPES_FIELD = 5;

    /** As the library has it: STRIPES_MAX. */
    private static final int STRIPES_MAX = 4;

    /**
     * What a folder is to act like.
     *
     * @param folder exists
     * @param stripes how many of such devices make a RAID 0; 1 for a single device
     */
    public record Device(Path folder, DeviceProfile profile, int stripes) {
        /** Checks the number. */
        public Device {
            if (stripes < 1 || stripes > STRIPES_MAX || (profile.isArray() && stripes > 1)) {
                throw new IllegalArgumentException(stripes + " devices: 1 to " + STRIPES_MAX);
            }
        }
    }

    /**
     * What an emulated device has done, in all processes together. The kernel's counters don't know
     * of the delays.
     *
     * @param syncs answered
     * @param nanos that they took, from call to answer
     * @param reads past the page cache; not counted where the device doesn't delay them
     * @param readNanos that they took, from call to answer
     */
    public record Counters(long syncs, long nanos, long reads, long readNanos) {}

    /** Reads them. */
    @FunctionalInterface
    public interface Source {
        /** {@return the counters now; null where there are none} */
        @Nullable
        Counters read() throws IOException;
    }

    private SyncEmulation(PreloadLibrary library, Path rules) {
        this.library = library;
        this.rules = rules;
    }

    /** {@return whether it is active in this very process} */
    public static boolean active() {
        return System.getenv(VARIABLE) != null;
    }

    /**
     * Prepares the emulation, also of several devices that make a RAID 0.
     *
     * @param folder where the library and the list of devices are kept
     * @throws IOException if there is no compiler, or it fails
     */
    public static SyncEmulation prepare(Path folder, List<Device> devices) throws IOException {
        Files.createDirectories(folder);
        PreloadLibrary library = PreloadLibrary.load(folder);
        Map<Path, Device> sorted = new TreeMap<>();
        for (Device device : devices) {
            sorted.put(device.folder().toRealPath(), device);
        }
        StringBuilder text = new StringBuilder();
        sorted.forEach((path, device) -> text.append(device.profile().parameters(device.stripes()))
                .append(' ')
                .append(path)
                .append('\n'));
        Path rules = folder.toRealPath().resolve("devices.txt");
        if (!Files.exists(rules) || !Files.readString(rules).contentEquals(text)) {
            OutputFile.write(rules, text.toString());
            // Its entries are by line, so those of another list would go to the wrong device.
            Files.deleteIfExists(Path.of(rules + ".clock"));
        }
        return new SyncEmulation(library, rules);
    }

    /** {@return the variables that a process needs, to be added to its environment} */
    public Map<String, String> environment() {
        return library.environment(Map.of(VARIABLE, rules.toString()));
    }

    /**
     * What the emulated device of a folder has done so far; null when the folder has none.
     *
     * @param device the folder that was given to {@link #prepare}
     */
    public @Nullable Counters counters(Path device) throws IOException {
        return counters(rules, device);
    }

    /**
     * {@return the same, of an emulation that another process prepared}
     *
     * @param rules what {@link #VARIABLE} names
     */
    public static @Nullable Counters counters(Path rules, Path device) throws IOException {
        Path clocks = Path.of(rules + ".clock");
        int line = folders(rules).indexOf(device.toRealPath());
        if (line < 0) {
            return null;
        }
        if (!Files.exists(clocks)) {
            return new Counters(0, 0, 0, 0);
        }
        ByteBuffer all = ByteBuffer.wrap(Files.readAllBytes(clocks)).order(ByteOrder.nativeOrder());
        int syncs = line * CLOCK_BYTES + CLOCK_SYNCS;
        int reads = line * CLOCK_BYTES + CLOCK_READS;
        return new Counters(
                all.getLong(syncs),
                all.getLong(syncs + Long.BYTES),
                all.getLong(reads),
                all.getLong(reads + Long.BYTES));
    }

    /**
     * {@return the folder of the emulated device that a folder lies on, by the list that
     * {@link #VARIABLE} names; null for none}
     *
     * @param rules that list
     * @param folder exists; the innermost of the devices around it counts
     */
    public static @Nullable Path device(Path rules, Path folder) throws IOException {
        Path real = folder.toRealPath();
        return folders(rules).stream()
                .filter(real::startsWith)
                .max(Comparator.comparingInt(Path::getNameCount))
                .orElse(null);
    }

    /**
     * {@return what a folder acts like, by the list that {@link #VARIABLE} names; null for itself}
     *
     * @param rules that list
     * @param folder as for {@link #device}
     */
    public static @Nullable DeviceProfile profile(Path rules, Path folder) throws IOException {
        Path device = device(rules, folder);
        if (device == null) {
            return null;
        }
        String line = Files.readAllLines(rules).get(folders(rules).indexOf(device));
        int stripes = Integer.parseInt(line.split(" ", FIELDS)[STRIPES_FIELD]);
        return Arrays.stream(DeviceProfile.values())
                .filter(profile -> line.startsWith(profile.parameters(stripes) + " "))
                .findFirst()
                .orElse(null);
    }

    private static List<Path> folders(Path rules) throws IOException {
        return Files.readAllLines(rules).stream()
                .map(line -> Path.of(line.split(" ", FIELDS)[FIELDS - 1]))
                .toList();
    }
}
