package org.hubmark.hub.admin;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.netty.handler.codec.http.HttpResponseStatus;

import org.hubmark.core.Intake;
import org.hubmark.core.Receipt;
import org.hubmark.core.Settings;
import org.hubmark.hub.delivery.ResidenceHistogram;
import org.hubmark.hub.pressure.BackPressure;
import org.hubmark.hub.pressure.PressureLevel;
import org.hubmark.hub.pressure.QueueSampler;
import org.hubmark.queue.SyncedGroups;
import org.jspecify.annotations.Nullable;

import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * The pages of the admin server, which is there before the hub takes mail and as long as it lives. The admin
 * thread; another one says how far the hub is.
 */
public final class AdminPages implements AdminServer.Pages {
    private static final String RESET = "/histograms/reset";
    /** No mapper: a hub would load one at its start, before anybody asks for a page. */
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private final CompletableFuture<Throwable> failure;
    private final Settings settings;
    /** Null until the hub takes mail. */
    private volatile @Nullable Parts parts;

    private volatile boolean draining;

    /**
     * Parts of a started hub that the pages show.
     *
     * @param metrics in the text format of Prometheus, read anew each time
     * @param intake whether mail is refused; not the one that counts refusals
     * @param sampler null where there is no queue on volumes
     */
    public record Parts(
            Supplier<String> metrics,
            ResidenceHistogram residence,
            Intake intake,
            BackPressure pressure,
            @Nullable QueueSampler sampler) {
        Receipt.@Nullable Refused refusal() {
            Receipt.Refused refused = intake.refusal();
            return refused == null ? pressure.refusal() : refused;
        }
    }

    /**
     * Makes the pages of a hub that starts.
     *
     * @param settings all read by the time it has started
     */
    public AdminPages(CompletableFuture<Throwable> failure, Settings settings) {
        this.failure = failure;
        this.settings = settings;
    }

    /** The hub takes mail. */
    public void started(Parts made) {
        parts = made;
    }

    /** The hub takes no new mail, and ends. */
    public void draining() {
        draining = true;
    }

    @Override
    public AdminServer.Page get(String path) {
        Parts started = parts;
        return switch (path) {
            case "/live" -> live();
            case "/ready" -> ready(started);
            case "/metrics" ->
                started == null
                        ? starting()
                        : new AdminServer.Page(
                                HttpResponseStatus.OK,
                                "text/plain; version=0.0.4; charset=utf-8",
                                started.metrics.get());
            case "/health" -> started == null ? starting() : health(started);
            case "/histograms" -> started == null ? starting() : histograms(started);
            case "/settings" -> started == null ? starting() : settings();
            default ->
                AdminServer.Page.text(
                        HttpResponseStatus.NOT_FOUND,
                        "there is /live, /ready, /health, /metrics, /histograms and /settings\n");
        };
    }

    /** A POST may change what is measured, and nothing else. */
    @Override
    public AdminServer.Page post(String path, String body) {
        return path.equals(RESET)
                ? reset()
                : AdminServer.Page.text(
                        HttpResponseStatus.NOT_FOUND, "POST is for " + RESET + " alone\n");
    }

    private AdminServer.Page reset() {
        Parts started = parts;
        if (started == null) {
            return starting();
        }
        AdminServer.Page histograms = histograms(started);
        if (started.sampler != null) {
            started.sampler.resetMax();
        }
        return histograms;
    }

    private static AdminServer.Page starting() {
        return down("starting");
    }

    /** A hub that can't take mail now does not come to it sooner by being ended. */
    private AdminServer.Page live() {
        Throwable cause = failure.getNow(null);
        return cause == null ? up() : down(String.valueOf(cause.getMessage()));
    }

    private AdminServer.Page ready(@Nullable Parts started) {
        Throwable cause = failure.getNow(null);
        if (cause != null) {
            return down(String.valueOf(cause.getMessage()));
        }
        if (draining) {
            return down("draining");
        }
        if (started == null) {
            return starting();
        }
        Receipt.Refused refused = started.refusal();
        return refused == null ? up() : down(refused.detail());
    }

    private static AdminServer.Page up() {
        return json(HttpResponseStatus.OK, JSON.objectNode().put("status", "up"));
    }

    private static AdminServer.Page down(String reason) {
        return json(
                HttpResponseStatus.SERVICE_UNAVAILABLE,
                JSON.objectNode().put("status", "down").put("reason", reason));
    }

    private AdminServer.Page health(Parts started) {
        PressureLevel level = started.pressure.level();
        Receipt.Refused refused = started.refusal();
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

    private static AdminServer.Page histograms(Parts started) {
        ObjectNode fields = JSON.objectNode();
        fields.put("queue_residence_ns", started.residence.encoded());
        QueueSampler sampler = started.sampler;
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
