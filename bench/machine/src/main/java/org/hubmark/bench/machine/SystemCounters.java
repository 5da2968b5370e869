package org.hubmark.bench.machine;

import org.hubmark.bench.machine.kernel.HostFiles;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Reads memory, paging and network of a machine (proc_meminfo(5), proc_vmstat(5), proc_pid_net(5)). */
final class SystemCounters {
    /** Where they are. */
    private static final String PAGING = "proc/vmstat";

    /** Likewise. */
    private static final String NETWORK = "proc/net/dev";

    /** Likewise. */
    private static final String INTERFACES = "sys/class/net";

    private static final String LOOPBACK = "lo";
    /** Fields of a line behind the name of the interface. */
    private static final int RECEIVED = 0;

    private static final int SENT = 8;
    private static final int FIELDS = 16;

    private SystemCounters() {}

    /** {@return those of a machine that are known, now} */
    static Map<MachineCounter, Long> of(HostFiles host) {
        Long faults = number(host.value(PAGING, "pgmajfault", " "));
        Long swapped = number(host.value(PAGING, "pswpout", " "));
        long received = 0;
        long sent = 0;
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
            // One of a bond, bridge, VLAN or tunnel passes on what those below it count too.
            boolean isLowest = host.names(INTERFACES + "/" + name, "lower_*").isEmpty();
            if (hardware.isEmpty() ? isLowest && !name.equals(LOOPBACK) : hardware.contains(name)) {
                received += Long.parseLong(fields[RECEIVED]);
                sent += Long.parseLong(fields[SENT]);
                counted.add(name);
            }
        }
        Map<MachineCounter, Long> counters = new EnumMap<>(MachineCounter.class);
        MachineCounter.AVAILABLE_BYTES.put(host.bytes("proc/meminfo", "MemAvailable"), counters);
        MachineCounter.PAGES.put(
                faults == null || swapped == null ? null : (Long) (faults + swapped), counters);
        if (!counted.isEmpty()) {
            counters.put(MachineCounter.RECEIVED_BYTES, received);
            counters.put(MachineCounter.SENT_BYTES, sent);
        }
        return counters;
    }

    private static @Nullable Long number(@Nullable String text) {
        return text != null && text.matches("\\d{1,18}") ? Long.valueOf(text) : null;
    }
}
