package org.hubmark.pulsar;

import com.fasterxml.jackson.databind.JsonNode;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Judges the cluster's policies, as far as a broker tells them: those by which it drops or acknowledges
 * messages by itself, and those that weaken what a 250 means. One thread.
 */
final class PulsarPolicies {
    private static final Logger LOG = LoggerFactory.getLogger(PulsarPolicies.class);
    private static final String EVICTION = "consumer_backlog_eviction";

    /** Least number of synced copies: with fewer the failure of one machine loses mail. */
    private static final int SYNCED_MIN = 2;

    private final String namespace;
    /** Policies by which mail that was answered with 250 may go, with what mends each. */
    final List<String> losses = new ArrayList<>();

    /** What else an operator should know. */
    final List<String> warnings = new ArrayList<>();

    PulsarPolicies(PulsarAddress address) {
        this.namespace = address.tenant() + "/" + address.namespace();
    }

    /**
     * Refuses a cluster that would drop mail by itself. What can't be found out is logged.
     *
     * @param admin whom to ask; null for nobody
     */
    static void requireHarmless(@Nullable PulsarAdmin admin, PulsarAddress address)
            throws IOException {
        if (admin == null) {
            unknown("pulsar.admin names no address to ask");
            return;
        }
        PulsarPolicies policies;
        try {
            policies = ask(admin, address);
        } catch (IOException e) {
            unknown(String.valueOf(e.getMessage()));
            return;
        }
        policies.warnings.forEach(warning -> LOG.atWarn()
                .addKeyValue("event", "policy")
                .log("the queue {}: {}", address, warning));
        if (!policies.losses.isEmpty()) {
            throw new IOException("the queue " + address + " would lose mail: "
                    + String.join("; ", policies.losses));
        }
    }

    private static void unknown(String reason) {
        LOG.atWarn()
                .addKeyValue("event", "policies_unknown")
                .log("whether the cluster's policies drop mail was not checked: {}", reason);
    }

    /** {@return what is in force for the topics of a queue, wherever it is set} */
    static PulsarPolicies ask(PulsarAdmin admin, PulsarAddress address) throws IOException {
        PulsarPolicies policies = new PulsarPolicies(address);
        for (String topic : List.of(PulsarTopics.MAIL, PulsarTopics.DEAD)) {
            policies.judgeTimeToLive(topic, admin.policy(address, topic, "messageTTL"));
            policies.judgeQuotas(topic, admin.policy(address, topic, "backlogQuotaMap"));
            policies.judgeCopies(topic, admin.policy(address, topic, "persistence"));
        }
        policies.judgeExpiration(admin.policy(address, "subscriptionExpirationTime"));
        return policies;
    }

    void judgeTimeToLive(String topic, JsonNode seconds) {
        if (seconds.asLong() > 0) {
            losses.add(
                    "messages that have waited in the topic " + topic + " for " + seconds.asLong()
                            + " s is dropped (message TTL); pulsar-admin namespaces remove-message-ttl "
                            + namespace);
        }
    }

    void judgeQuotas(String topic, JsonNode quotas) {
        for (JsonNode quota : quotas) {
            boolean limited = quota.path("limitSize").asLong() > 0
                    || quota.path("limitTime").asLong() > 0;
            if (limited && quota.path("policy").asText().equals(EVICTION)) {
                losses.add("what waits in the topic " + topic + " beyond a quota is dropped ("
                        + EVICTION + "); pulsar-admin namespaces set-backlog-quota --limit "
                        + quota.path("limitSize").asLong()
                        + " --policy producer_exception " + namespace);
            }
        }
    }

    void judgeExpiration(JsonNode minutes) {
        if (minutes.asLong() > 0) {
            losses.add("the queue is dropped when no hub has been connected for "
                    + minutes.asLong()
                    + " minutes (subscription expiration); pulsar-admin namespaces"
                    + " remove-subscription-expiration-time " + namespace);
        }
    }

    void judgeCopies(String topic, JsonNode persistence) {
        int synced = persistence.path("bookkeeperAckQuorum").asInt(SYNCED_MIN);
        if (synced < SYNCED_MIN) {
            warnings.add("a 250 says that one bookie has the message (topic " + topic
                    + ", ack quorum " + synced
                    + "); pulsar-admin namespaces set-persistence -e 3 -w 3"
                    + " -a 2 -r 0 " + namespace);
        }
    }
}
