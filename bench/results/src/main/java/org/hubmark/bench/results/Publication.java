package org.hubmark.bench.results;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * Judgement whether a result keeps the rules of docs/run-rules.md and may be published: rule by
 * rule, with the findings.
 *
 * @param form short or standard
 * @param rules all of them; none before they were judged
 * @param idle of each hub that was looked at before it had anything to do
 */
public record Publication(String form, boolean publishable, List<Rule> rules, List<Idle> idle) {
    /** Copies the lists. */
    public Publication {
        rules = List.copyOf(rules);
        idle = List.copyOf(idle);
    }

    /** {@return what is known before anything was judged} */
    public static Publication unjudged(String form, List<Idle> idle) {
        return new Publication(form, false, List.of(), idle);
    }

    /** {@return the same, judged: publishable when all rules are kept} */
    public Publication judged(List<Rule> found) {
        boolean all = !found.isEmpty() && found.stream().allMatch(Rule::holds);
        return new Publication(form, all, found, idle);
    }

    /** {@return the rules that are not kept, or not known to be} */
    public List<Rule> broken() {
        return rules.stream().filter(rule -> !rule.holds()).toList();
    }

    /**
     * One of the rules.
     *
     * @param rule as docs/run-rules.md calls it
     * @param kept null where nobody can tell
     * @param found in words
     */
    public record Rule(String rule, @Nullable Boolean kept, String found) {
        /** {@return whether it is known to be kept} */
        public boolean holds() {
            return Boolean.TRUE.equals(kept);
        }
    }

    /**
     * Activity of a machine while a hub is started and idle. Percent of all cores.
     *
     * @param scenario whose hub it was
     * @param atRest whether the hub had come to rest after the load before it
     * @param foreignCpuPercent of processes that are neither hub nor driver
     * @param hubWrites to log and queue, by its own count, with the log's syncs; null where it has
     *     none
     * @param earlierLooks what kept the machine from being idle whenever it was looked at before, in words
     */
    public record Idle(
            String scenario,
            double seconds,
            boolean atRest,
            @Nullable Double foreignCpuPercent,
            @Nullable Double stealPercent,
            @Nullable Double hubCpuPercent,
            @Nullable Double hubWrites,
            List<Device> devices,
            List<String> earlierLooks) {
        /** Copies the lists. */
        public Idle {
            devices = List.copyOf(devices);
            earlierLooks = earlierLooks == null ? List.of() : List.copyOf(earlierLooks);
        }

        /** {@return the same, with what was seen before} */
        public Idle after(List<String> looks) {
            return new Idle(
                    scenario,
                    seconds,
                    atRest,
                    foreignCpuPercent,
                    stealPercent,
                    hubCpuPercent,
                    hubWrites,
                    devices,
                    looks);
        }

        /** {@return writes to a device a second that are not the hub's} */
        public double othersWritesPerS(Device device) {
            double own = hubWrites == null ? 0 : hubWrites;
            return Math.max(0, (double) device.writes - own) / seconds;
        }
    }

    /**
     * Writes to the device of volumes, as counted by the kernel.
     *
     * @param roles of the volumes that lie on it
     * @param writes with flushes, on a device that has a volatile cache
     * @param syncs flushes of the disk alone; null where the kernel does not count them
     */
    public record Device(
            String device,
            List<String> roles,
            long writes,
            long writtenBytes,
            @Nullable Long syncs) {
        /** Copies the list. */
        public Device {
            roles = List.copyOf(roles);
        }
    }
}
