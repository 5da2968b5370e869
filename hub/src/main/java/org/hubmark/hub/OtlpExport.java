package org.hubmark.hub;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.ipc.http.HttpUrlConnectionSender;
import io.micrometer.registry.otlp.OtlpConfig;
import io.micrometer.registry.otlp.OtlpHttpMetricsSender;
import io.micrometer.registry.otlp.OtlpMeterRegistry;
import io.micrometer.registry.otlp.OtlpMetricsSender;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Sends metrics by OTLP over HTTP at an interval, and once more at the end. Only a hub that is told where to
 * send loads this class and the library below it. A receiver that can't be reached costs a line of the log, and
 * never mail: what was not sent is in the next export, since all counters count from the start.
 */
final class OtlpExport {
    private static final Logger LOG = LoggerFactory.getLogger(OtlpExport.class);
    /** The end of a hub waits for the last export no longer than for both. */
    private static final Duration CONNECT_MAX = Duration.ofSeconds(2);

    private static final Duration ANSWER_MAX = Duration.ofSeconds(5);
    private static final String NAME = "service.name";

    private OtlpExport() {}

    /** {@return a registry whose metrics are sent until it is closed} */
    static MeterRegistry start(OtlpSettings settings) {
        return OtlpMeterRegistry.builder(new Config(settings))
                .clock(Clock.SYSTEM)
                .metricsSender(new Sender())
                .build();
    }

    /** What the settings leave out the environment says, by the names of OpenTelemetry. */
    private record Config(OtlpSettings settings) implements OtlpConfig {
        @Override
        public @Nullable String get(String key) {
            return null;
        }

        @Override
        public String url() {
            return settings.url();
        }

        @Override
        public Duration step() {
            return settings.interval();
        }

        @Override
        public Map<String, String> resourceAttributes() {
            Map<String, String> attributes = new HashMap<>(OtlpConfig.super.resourceAttributes());
            attributes.putIfAbsent(NAME, "hubmark");
            return attributes;
        }
    }

    /** The registry's own thread sends. */
    private static final class Sender implements OtlpMetricsSender {
        private final OtlpMetricsSender http =
                new OtlpHttpMetricsSender(new HttpUrlConnectionSender(CONNECT_MAX, ANSWER_MAX));
        private boolean fails;

        @Override
        public void send(Request request) {
            try {
                http.send(request);
                if (fails) {
                    LOG.atInfo()
                            .addKeyValue("event", "metrics_sent")
                            .log("metrics are sent again to {}", request.getAddress());
                }
                fails = false;
            } catch (Exception e) {
                if (!fails) {
                    LOG.atWarn()
                            .addKeyValue("event", "metrics_not_sent")
                            .log(
                                    "metrics can't be sent to {}: {}",
                                    request.getAddress(),
                                    e.getMessage());
                }
                fails = true;
            }
        }
    }
}
