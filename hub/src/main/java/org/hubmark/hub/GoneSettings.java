package org.hubmark.hub;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Settings that version 0.1.0 had, so that the file of an operator is answered by what to do. */
final class GoneSettings {
    /** What takes the place of each. */
    static final Map<String, String> INSTEAD = instead();

    private GoneSettings() {}

    private static Map<String, String> instead() {
        Map<String, String> all = new HashMap<>();
        String fixed = "its level is fixed (docs/smtp.md); leave it out";
        for (String resource : List.of("log-depth", "memory", "queue-volume")) {
            for (String level : List.of("normal", "medium", "high")) {
                all.put("back-pressure." + resource + "." + level, fixed);
            }
        }
        String shares = "it follows from back-pressure.queue-length.high; leave it out";
        all.put("back-pressure.queue-length.normal", shares);
        all.put("back-pressure.queue-length.medium", shares);
        all.put("back-pressure.pause-max", "a reply is delayed by 5s at most; leave it out");
        all.put("delivery.host-name", "set smtp.host-name, which is said to next hops too");
        for (String limit : List.of(
                "accepted-for", "refused-for", "answers-max", "connections-max", "waiting-max")) {
            all.put(
                    "smtp.verify-recipients." + limit,
                    "its value is fixed (docs/smtp.md); leave it out");
        }
        all.put(
                "delivery.dead-letter-max-count",
                "set delivery.dead-letter-max-bytes or -max-age; leave it out");
        all.put("smtp.receive-buffer", "64 KiB was measured best; leave it out");
        all.put("smtp.backlog", "it is 1024, or less by net.core.somaxconn; leave it out");
        all.put("smtp.tls-reload-interval", "a renewed certificate takes a restart; leave it out");
        all.put("pulsar.hub-number", "a hub takes a free number; leave it out");
        // Their defaults are their values.
        String keys = """
                pulsar.pending-max pulsar.receive-max smtp.address.ipv6-prefix
                smtp.address.memory-percent smtp.command-line-max smtp.command-line-skip-max
                smtp.commands-without-mail-max smtp.content-rate-min smtp.errors-max
                smtp.greeting-delay smtp.received-fields-max smtp.text-line-max
                smtp.timeout.tls-handshake
                smtp.timeout.transaction smtp.tls-handshakes-max smtp.tls-threads
                store.fresh-content store.handoff-slots store.read-cache""";
        for (String key : keys.split("\\s+", -1)) {
            all.put(key, "its value is fixed; leave it out");
        }
        return Map.copyOf(all);
    }
}
