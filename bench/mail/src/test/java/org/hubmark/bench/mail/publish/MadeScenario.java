package org.hubmark.bench.mail.publish;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** A scenario, as results.json has it, that keeps all run rules. */
final class MadeScenario {
    static final ObjectMapper MAPPER = new ObjectMapper();

    private MadeScenario() {}

    /** {@return one of so many repeats, each of which is faster than the one before by so much} */
    static ObjectNode of(int repeats, double faster) {
        ObjectNode scenario = MAPPER.createObjectNode();
        scenario.put("id", "57kb")
                .put("message_size_kb", 57)
                .put("durability", "synced")
                .put("intake", "store")
                .put("asked_rate", "max-sustained")
                .put("unsafe", false);
        scenario.putObject("sustained_rate").put("msgs_per_s", 1000).put("reason", "the disk");
        figures(scenario, 1000);
        ObjectNode beside = scenario.putObject("latency_at");
        beside.put("percent", 70).put("rate_msgs_per_s", 700).put("throughput_msgs_per_s", 700);
        latency(beside, 12);
        audit(beside);
        beside.put("lost_msgs", 0).put("steady", true);
        valid(beside);
        var all = scenario.putArray("repeats");
        for (int i = 1; i <= repeats; i++) {
            ObjectNode repeat = all.addObject();
            repeat.put("repeat", i);
            figures(repeat, 1000 + faster * i + i % 2);
            repeat.put("started_at", "2026-01-01T00:00:00Z")
                    .put("warmup_s", 30)
                    .put("steady", true);
            valid(repeat);
        }
        valid(scenario);
        return scenario;
    }

    private static void figures(ObjectNode of, double rate) {
        of.put("throughput_msgs_per_s", rate)
                .put("measured_s", 60.5)
                .put("steal_percent", 0.1)
                .put("foreign_cpu_percent", 0.4)
                .put("limiting_resource", "log_volume")
                .put("sent_msgs", 60_500)
                .put("accepted_msgs", 60_500)
                .put("refused_msgs", 0)
                .put("failed_msgs", 0)
                .put("lost_msgs", 0);
        of.putObject("counter_source").put("log", "device").put("queue", "device");
        latency(of, 40.5);
        audit(of);
    }

    private static void latency(ObjectNode of, double p99) {
        of.putObject("accept_latency_ms")
                .put("mean", 1)
                .put("p50", 1)
                .put("p95", 2)
                .put("p99", p99)
                .put("p99_9", 300)
                .put("max", 400);
    }

    private static void audit(ObjectNode of) {
        of.putObject("audit")
                .put("share", "all")
                .put("checked_msgs", 60_500)
                .put("missing_msgs", 0)
                .put("repeated_msgs", 0)
                .put("changed_msgs", 0)
                .put("repeated_ids", 0)
                .put("unknown_msgs", 0);
    }

    private static void valid(ObjectNode of) {
        of.put("valid", true).putArray("invalid_reasons");
    }
}
