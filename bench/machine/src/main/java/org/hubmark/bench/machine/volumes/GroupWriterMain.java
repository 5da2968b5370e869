package org.hubmark.bench.machine.volumes;

import org.hubmark.bench.machine.volumes.GroupWriter.Groups;
import org.hubmark.queue.BareGroups;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * Writes groups to a volume as the intake log does, and does nothing else. Prints how many messages
 * they would hold and in how many nanoseconds it wrote them. A process of its own, so that a preloaded
 * emulation of a device holds for it.
 */
final class GroupWriterMain {
    private GroupWriterMain() {}

    /** Arguments: folder, milliseconds, seed, and {@link Groups} of each size. */
    public static void main(String[] arguments) throws IOException {
        long nanos = Long.parseLong(arguments[1]) * 1_000_000;
        SplittableRandom random = new SplittableRandom(Long.parseLong(arguments[2]));
        List<Groups> sizes = Arrays.stream(arguments).skip(3).map(Groups::parse).toList();
        long weights = sizes.stream().mapToLong(Groups::weight).sum();
        int writeBytesMax = sizes.stream().mapToInt(Groups::writeBytes).max().orElseThrow();
        try (BareGroups groups = BareGroups.create(Path.of(arguments[0]), writeBytesMax)) {
            double messages = 0;
            long begun = System.nanoTime();
            long now = begun;
            while (now - begun < nanos) {
                Groups next = draw(sizes, random.nextLong(weights));
                groups.write(next.writeBytes(), next.writes());
                now = System.nanoTime();
                messages += next.messages();
            }
            System.out.printf(Locale.ROOT, "%s %d%n", messages, now - begun);
        }
    }

    /** {@return the size within whose weight a number falls that is below the sum of all} */
    static Groups draw(List<Groups> sizes, long number) {
        long left = number;
        for (Groups groups : sizes) {
            left -= groups.weight();
            if (left < 0) {
                return groups;
            }
        }
        throw new IllegalArgumentException(number + " is beyond the weights of " + sizes);
    }
}
