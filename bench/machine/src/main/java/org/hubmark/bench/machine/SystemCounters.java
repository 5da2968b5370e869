package org.hubmark.bench.machine;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/**
 * Memory, paging and network of a machine, by its kernel's files (proc_meminfo(5), proc_vmstat(5),
 * proc_pid_net(5)). What can't be had is null.
 *
 * @param availableBytes memory that programs can have without paging
 * @param pages since the machine started: read from disk because they were not in memory (major faults),
 *     and written out for lack of it
 * @param receivedBytes since then, on the interfaces that have hardware; where none has, as in a
 *     container, on those that no other one lies below, without loopback
 * @param sentBytes likewise
 * @param loopbackBytes since then; each was sent and received
 * @param linkBytesPerS what the links of these interfaces can carry, each way; null where one that is up
 *     doesn't say, as those without hardware
 */
public record SystemCounters(
        @Nullable Long availableBytes,
        @Nullable Long pages,
        @Nullable Long receivedBytes,
        @Nullable Long sentBytes,
        @Nullable Long loopbackBytes,
        @Nullable Long linkBytesPerS) {
    /** Where they are. */
    private static final String PAGING = "proc/vmstat";

    /** Likewise. */
    private static final String NETWORK = "proc/net/dev";

    /** Likewise. */
    private static final String INTERFACES = "sys/class/net";

    private static final String LOOPBACK = "lo";
    private static final long MEGABIT_BYTES = 1_000_000 / 8;
    /** Fields of a line behind the name of the interface. */
    private static final int RECEIVED = 0;

    private static final int SENT = 8;
    private static final int FIELDS = 16;

    /** {@return those of a machine, now} */
    public static SystemCounters of(HostFiles host) {
        Long faults = number(host.value(PAGING, "pgmajfault", " "));
        Long swapped = number(host.value(PAGING, "pswpout", " "));
        Long received = null;
        Long sent = null;
        Long loopback = null;
        List<String> counted = new ArrayList<>();
        List<String> hardware = host.names(INTERFACES, "*").stream()
                .filter(name -> host.exists(INTERFACES + "/" + name + "/device"))
                .toList();
        for (String line : host.text(NETWORK).lines().toList()) {
            int colon = line.indexOf(':');
            if (colon < 0) {
                continue;
            }
            String[] fields = line.substring(colon + 1).strip().split(" +", -1);
            if (fields.length < FIELDS) {
                continue;
            }
            String name = line.substring(0, colon).strip();
            if (name.equals(LOOPBACK)) {
                loopback = Long.valueOf(fields[SENT]);
            } else if (hardware.isEmpty() ? isLowest(host, name) : hardware.contains(name)) {
                received = plus(received, fields[RECEIVED]);
                sent = plus(sent, fields[SENT]);
                counted.add(name);
            }
        }
        return new SystemCounters(
                host.bytes("proc/meminfo", "MemAvailable"),
                faults == null || swapped == null ? null : (Long) (faults + swapped),
                received,
                sent,
                loopback,
                link(host, counted));
    }

    private static @Nullable Long link(HostFiles host, List<String> interfaces) {
        Long sum = null;
        for (String name : interfaces) {
            String folder = INTERFACES + "/" + name;
            Long speed = host.number(folder + "/speed");
            if (speed != null && speed > 0) {
                sum = (sum == null ? 0 : sum) + speed * MEGABIT_BYTES;
            } else if (!"down".equals(host.line(folder + "/operstate"))) {
                return null;
            }
        }
        return sum;
    }

    /** One of a bond, bridge, VLAN or tunnel passes on what those below it count too. */
    private static boolean isLowest(HostFiles host, String name) {
        return host.names(INTERFACES + "/" + name, "lower_*").isEmpty();
    }

    private static @Nullable Long number(@Nullable String text) {
        return text != null && text.matches("\\d{1,18}") ? Long.valueOf(text) : null;
    }

    private static Long plus(@Nullable Long sum, String more) {
        return (sum == null ? 0 : sum) + Long.parseLong(more);
    }
}
