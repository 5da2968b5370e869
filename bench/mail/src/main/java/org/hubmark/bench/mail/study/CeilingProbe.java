package org.hubmark.bench.mail.study;

import org.hubmark.bench.hub.LogGroups;
import org.hubmark.bench.machine.volumes.GroupWriter;
import org.hubmark.bench.mail.document.Scenario;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Measures what the log volume holds by itself, with a writer alone that writes as the scenario did. */
final class CeilingProbe {
    static final Duration WRITING = Duration.ofSeconds(1);

    private CeilingProbe() {}

    /**
     * {@return messages a second; null where messages did not wait for syncs, since then it isn't the
     * device that is asked}
     *
     * @param seed of the order in which groups of different sizes are written
     */
    static @Nullable Double logDevice(Part part, Scenario scenario, long seed)
            throws IOException, InterruptedException {
        HubRequest hub = part.hub();
        List<LogGroups> groups = scenario.groups();
        if (hub == null || groups == null || groups.isEmpty()) {
            return null;
        }
        return GroupWriter.messagesPerSecond(
                hub.folders().volumes().log(), writers(groups), seed, WRITING, hub.environment());
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
