package org.hubmark.pulsar;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.junit.jupiter.api.Test;

import java.net.URI;

/** Policies that lose mail are told from those that don't, by what brokers answer. */
class PulsarPoliciesTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final PulsarPolicies policies =
            new PulsarPolicies(PulsarAddress.of(URI.create("pulsar://h:1/public/default")));

    @Test
    void whatIsSetByDefaultIsHarmless() throws Exception {
        policies.judgeTimeToLive("mail", json("0"));
        policies.judgeTimeToLive("mail", json(""));
        policies.judgeQuotas("mail", json("""
                {"destination_storage": {"limitSize": -1, "limitTime": -1, "policy": "producer_request_hold"}}
                """));
        policies.judgeCopies("mail", json("{\"bookkeeperAckQuorum\": 2}"));
        policies.judgeExpiration(json(""));
        assertThat(policies.losses).isEmpty();
        assertThat(policies.warnings).isEmpty();
    }

    @Test
    void aTimeToLiveLosesMail() throws Exception {
        policies.judgeTimeToLive("mail", json("3600"));
        assertThat(policies.losses)
                .containsExactly("messages that have waited in the topic mail for 3600 s is dropped"
                        + " (message TTL); pulsar-admin namespaces remove-message-ttl"
                        + " public/default");
    }

    @Test
    void anEvictionLosesMailWhereThereIsALimit() throws Exception {
        policies.judgeQuotas("mail", json("""
                {"destination_storage": {"limitSize": -1, "limitTime": -1, "policy": "consumer_backlog_eviction"},
                 "message_age": {"limitSize": -1, "limitTime": 0, "policy": "consumer_backlog_eviction"}}
                """));
        assertThat(policies.losses).isEmpty();
        policies.judgeQuotas("mail", json("""
                {"destination_storage": {"limitSize": 1000, "limitTime": -1, "policy": "producer_exception"},
                 "message_age": {"limitSize": -1, "limitTime": 60, "policy": "consumer_backlog_eviction"}}
                """));
        assertThat(policies.losses).singleElement().asString().contains("set-backlog-quota");
    }

    @Test
    void anExpirationOfSubscriptionsLosesMail() throws Exception {
        policies.judgeExpiration(json("30"));
        assertThat(policies.losses).singleElement().asString().contains("30 minutes");
    }

    @Test
    void oneCopyAndNoDelayAreWarnedOf() throws Exception {
        policies.judgeCopies("mail", json("{\"bookkeeperAckQuorum\": 1}"));
        assertThat(policies.losses).isEmpty();
        assertThat(policies.warnings).hasSize(1);
    }

    private static JsonNode json(String text) throws Exception {
        return JSON.readTree(text);
    }
}
