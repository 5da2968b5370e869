package org.hubmark.bench.machine;

import org.hubmark.bench.machine.kernel.HostFiles;
import org.jspecify.annotations.Nullable;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/**
 * A JVM and what it was told.
 *
 * @param version of the JDK; null where it isn't known
 * @param collectors of garbage; null where they aren't known
 * @param options of its command line, in their order
 */
public record Jvm(@Nullable String version, @Nullable String collectors, List<String> options) {
    /** Copies the list, without passwords. */
    public Jvm {
        options = options.stream().map(Secrets::masked).toList();
    }

    /** {@return the one that this runs in} */
    static Jvm own() {
        List<String> collectors = new ArrayList<>();
        ManagementFactory.getGarbageCollectorMXBeans()
                .forEach(collector -> collectors.add(collector.getName()));
        return new Jvm(
                jdk(),
                String.join(", ", collectors),
                ManagementFactory.getRuntimeMXBean().getInputArguments());
    }

    /**
     * {@return that of a process started from the JDK that this runs in; null when it has ended}
     *
     * @param process its number
     */
    static @Nullable Jvm of(HostFiles host, long process) {
        List<String> words = List.of(host.text("proc/" + process + "/cmdline").split("\0", -1));
        List<String> options = new ArrayList<>();
        for (int i = 1; i < words.size() && words.get(i).startsWith("-"); i++) {
            boolean path = words.get(i).equals("-cp") || words.get(i).equals("-jar");
            if (path) {
                // The next word is no option; what follows is the program's.
                i++;
            } else {
                options.add(words.get(i));
            }
        }
        return words.size() < 2 ? null : new Jvm(jdk(), null, options);
    }

    private static String jdk() {
        return System.getProperty("java.vm.vendor") + " " + Runtime.version();
    }
}
