package org.hubmark.bench.scale.result;

import org.hubmark.bench.kit.document.YamlResource;
import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * A column of the study: Exchange Server 2010 on VMware Virtual SAN, LoadGen, very heavy users. On
 * other hardware and with other software: for orientation, not for comparison.
 *
 * @param hosts a pair of virtual machines on each
 * @param sendLatencyMs null where the study only has a picture
 * @param msgsPerS sent and received, of all users, over their day; computed from the study's profile
 */
public record PublishedPoint(
        String study,
        int hosts,
        int users,
        int vcpus,
        double memoryGb,
        SendLatency sendLatencyMs,
        double msgsPerS) {
    private static final Study STUDY = YamlResource.published("loadgen-vsan", Study.class);
    private static final double SECONDS_PER_HOUR = 3600;

    /** Latency of the transaction SendMail, milliseconds. */
    public record SendLatency(
            @Nullable Double mean, @Nullable Double p95) {}

    /** What is read of the study. */
    private record Study(
            Source source,
            Software software,
            Profile profile,
            Thresholds thresholds,
            List<Scenario> scenarios) {}

    private record Source(String publisher, String product) {}

    private record Software(String storageLayer, String loadGenerator) {}

    private record Profile(String name, double msgsSentAndReceivedPerUserPerDay, double workdayH) {}

    private record Thresholds(double maxLatencyMs) {}

    private record Scenario(
            int totalUsers,
            int mailboxVms,
            int totalVcpus,
            double totalRamGb,
            @Nullable Double avgSendmailLatencyMs,
            @Nullable Double p95SendmailLatencyMs) {}

    /** {@return all columns} */
    public static List<PublishedPoint> all() {
        return STUDY.scenarios.stream()
                .map(scenario -> new PublishedPoint(
                        name(),
                        scenario.mailboxVms,
                        scenario.totalUsers,
                        scenario.totalVcpus,
                        scenario.totalRamGb,
                        new SendLatency(
                                scenario.avgSendmailLatencyMs, scenario.p95SendmailLatencyMs),
                        msgsPerS(scenario.totalUsers)))
                .toList();
    }

    /** {@return the column of so many hosts; null when there is none} */
    public static @Nullable PublishedPoint of(int hosts) {
        return all().stream().filter(point -> point.hosts == hosts).findFirst().orElse(null);
    }

    /** {@return what the study measured, and by whom} */
    public static String name() {
        return STUDY.source.publisher + ", " + STUDY.source.product + " on "
                + STUDY.software.storageLayer + ", " + STUDY.software.loadGenerator + ", "
                + STUDY.profile.name + " users";
    }

    /** {@return what so many users send and receive, messages a second over their day} */
    public static double msgsPerS(double users) {
        return users
                * STUDY.profile.msgsSentAndReceivedPerUserPerDay
                / (STUDY.profile.workdayH * SECONDS_PER_HOUR);
    }

    /** {@return what the 95th percentile of sending may be, milliseconds} */
    public static double limitMs() {
        return STUDY.thresholds.maxLatencyMs;
    }
}
