package org.hubmark.hub;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.netty.handler.codec.http.HttpResponseStatus;

import org.hubmark.core.Intake;
import org.hubmark.core.Receipt;
import org.hubmark.core.Settings;
import org.hubmark.queue.SyncedGroups;
import org.jspecify.annotations.Nullable;

import java.util.Locale;
import java.util.concurrent.CompletableFuture;

/** The pages of the admin server. The admin thread. */
final class AdminPages implements AdminServer.Pages {
    private static final String RESET = "/histograms/reset";
    /** No mapper: a hub would load one at its start, before anybody asks for a page. */
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private final HubMetrics metrics;
    private final ResidenceHistogram residence;
    private final Intake intake;
    private final BackPressure pressure;
    private final CompletableFuture<Throwable> failure;
    private final @Nullable QueueSampler sampler;
    private final Settings settings;

    /**
     * Makes the pages.
     *
     * @param intake asked whether mail is refused; not the one that counts refusals
     * @param settings all read by now
     */
    AdminPages(
            HubMetrics metrics,
            ResidenceHistogram residence,
            Intake intake,
            BackPressure pressure,
            CompletableFuture<Throwable> failure,
            @Nullable QueueSampler sampler,
            Settings settings) {
        this.metrics = metrics;
        this.residence = residence;
        this.intake = intake;
        this.pressure = pressure;
        this.failure = failure;
        this.sampler = sampler;
        this.settings = settings;
    }

    @Override
    public AdminServer.Page get(String path) {
        return switch (path) {
            case "/metrics" ->
                new AdminServer.Page(
                        HttpResponseStatus.OK,
                        "text/plain; version=0.0.4; charset=utf-8",
                        metrics.scrape());
            case "/health" -> health();
            case "/histograms" -> histograms();
            case "/settings" -> settings();
            default ->
                AdminServer.Page.text(
                        HttpResponseStatus.NOT_FOUND,
                        "there is /metrics, /health, /histograms and /settings\n");
        };
    }

    /** A POST may change what is measured, and nothing else. */
    @Override
    public AdminServer.Page post(String path, String body) {
        if (!path.equals(RESET)) {
            return AdminServer.Page.text(
                    HttpResponseStatus.NOT_FOUND, "POST is for " + RESET + " alone\n");
        }
        AdminServer.Page histograms = histograms();
        if (sampler != null) {
            sampler.resetMax();
        }
        return histograms;
    }

    private AdminServer.Page health() {
        PressureLevel level = pressure.level();
        Receipt.Refused refused = intake.refusal();
        if (refused == null) {
            refused = pressure.refusal();
        }
        Throwable cause = failure.getNow(null);
        boolean up = refused == null && cause == null;
        ObjectNode fields = JSON.objectNode();
        fields.put("status", up ? "up" : "down");
        if (level != PressureLevel.NORMAL) {
            fields.put("back_pressure", level.name().toLowerCase(Locale.ROOT));
        }
        if (refused != null) {
            fields.put("refusing", refused.reason().name().toLowerCase(Locale.ROOT));
            fields.put("detail", refused.detail());
        }
        if (cause != null) {
            fields.put("failure", String.valueOf(cause.getMessage()));
        }
        return json(up ? HttpResponseStatus.OK : HttpResponseStatus.SERVICE_UNAVAILABLE, fields);
    }

    private AdminServer.Page histograms() {
        ObjectNode fields = JSON.objectNode();
        fields.put("queue_residence_ns", residence.encoded());
        if (sampler != null) {
            ArrayNode groups = fields.putArray("log_groups");
            for (SyncedGroups size : sampler.syncedGroups()) {
                ObjectNode group = groups.addObject();
                group.put("bytes_max", size.bytesMax());
                group.put("syncs", size.syncs());
                group.put("writes", size.writes());
                group.put("bytes", size.bytes());
                group.put("msgs", size.messages());
            }
        }
        return json(HttpResponseStatus.OK, fields);
    }

    private AdminServer.Page settings() {
        ObjectNode fields = JSON.objectNode();
        settings.entries().forEach(entry -> fields.put(entry.key(), entry.value()));
        return json(HttpResponseStatus.OK, fields);
    }

    private static AdminServer.Page json(HttpResponseStatus status, ObjectNode fields) {
        return new AdminServer.Page(status, "application/json", fields + "\n");
    }
}
