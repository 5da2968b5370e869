package org.hubmark.bench.scale.result;

import com.fasterxml.jackson.databind.JsonNode;

import org.hubmark.bench.results.YamlResource;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
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
    private static final JsonNode STUDY = YamlResource.read("/reference/loadgen-vsan.yaml");
    private static final double SECONDS_PER_HOUR = 3600;

    /** Of the transaction SendMail, milliseconds. */
    public record SendLatency(
            @Nullable Double mean, @Nullable Double p95) {}

    /** {@return all columns} */
    public static List<PublishedPoint> all() {
        List<PublishedPoint> all = new ArrayList<>();
        for (JsonNode scenario : STUDY.path("scenarios")) {
            int users = scenario.path("total_users").asInt();
            all.add(new PublishedPoint(
                    name(),
                    scenario.path("mailbox_vms").asInt(),
                    users,
                    scenario.path("total_vcpus").asInt(),
                    scenario.path("total_ram_gb").asDouble(),
                    new SendLatency(
                            known(scenario.path("avg_sendmail_latency_ms")),
                            known(scenario.path("p95_sendmail_latency_ms"))),
                    msgsPerS(users)));
        }
        return all;
    }

    /** {@return what the study measured, and by whom} */
    public static String name() {
        return STUDY.at("/source/publisher").asText() + ", "
                + STUDY.at("/source/product").asText() + " on "
                + STUDY.at("/software/storage_layer").asText() + ", "
                + STUDY.at("/software/load_generator").asText() + ", "
                + STUDY.at("/profile/name").asText() + " users";
    }

    /** {@return what so many users send and receive, messages a second over their day} */
    public static double msgsPerS(double users) {
        return users
                * STUDY.at("/profile/msgs_sent_and_received_per_user_per_day").asDouble()
                / (STUDY.at("/profile/workday_h").asDouble() * SECONDS_PER_HOUR);
    }

    /** {@return what the 95th percentile of sending may be, milliseconds} */
    public static double limitMs() {
        return STUDY.at("/thresholds/max_latency_ms").asDouble();
    }

    private static @Nullable Double known(JsonNode value) {
        return value.isNumber() ? (Double) value.asDouble() : null;
    }
}
