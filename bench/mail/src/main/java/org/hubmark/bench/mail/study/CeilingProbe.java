package org.hubmark.bench.mail.study;

import org.hubmark.bench.hub.LogGroups;
import org.hubmark.bench.machine.volumes.GroupWriter;
import org.hubmark.bench.mail.document.Scenario;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/** Measures what the log volume holds by itself, with a writer alone that writes as the scenario did. */
final class CeilingProbe {
    static final Duration WRITING = Duration.ofSeconds(1);

    private CeilingProbe() {}

    /**
     * {@return messages a second}
     *
     * @param scenario whose messages waited for syncs
     * @param seed of the order in which groups of different sizes are written
     */
    static double logDevice(HubRequest hub, Scenario scenario, long seed)
            throws IOException, InterruptedException {
        List<LogGroups> groups = Objects.requireNonNull(scenario.groups());
        return GroupWriter.messagesPerSecond(
                hub.folders().volumes().log(), writers(groups), seed, WRITING);
    }

    /** {@return the same writes, for a writer alone} */
    static List<GroupWriter.Groups> writers(List<LogGroups> groups) {
        return groups.stream().map(CeilingProbe::writer).toList();
    }

    private static GroupWriter.Groups writer(LogGroups groups) {
        int writes =
                Math.toIntExact(Math.max(1, Math.round((double) groups.writes() / groups.syncs())));
        return new GroupWriter.Groups(
                groups.syncs(),
                writes,
                Math.toIntExact(Math.ceilDiv(groups.bytes(), groups.syncs() * writes)),
                (double) groups.msgs() / groups.syncs());
    }
}
