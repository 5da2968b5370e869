package org.hubmark.hub.admin;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.netty.handler.codec.http.HttpResponseStatus;

import org.hubmark.core.QueueId;
import org.hubmark.core.QueuedMessage;
import org.hubmark.core.Receipt;
import org.hubmark.hub.delivery.Dispatcher;
import org.hubmark.hub.delivery.Settlement;
import org.hubmark.hub.pressure.BackPressure;
import org.hubmark.hub.tracking.TrackingEvent;
import org.hubmark.hub.tracking.TrackingLog;
import org.hubmark.queue.OperatorAction;
import org.hubmark.queue.OperatorResult;
import org.hubmark.queue.QueueStore;
import org.hubmark.queue.StoreStatistics;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Commands of an operator to a running hub: GET of {@value #STATS}, and POST to the name of a change with
 * the ids of messages, one a line, which answers with a JSON object of what became of each id. Errors are
 * answered by a status other than 200 with a line of text. The admin thread, which waits for the change: who
 * asks meanwhile waits too.
 */
public final class AdminCommands implements AdminServer.Pages {
    /** Each may take a sync of the log. */
    static final int IDS_MAX = 100;

    static final String STATS = "/stats";

    private final long startNanos = System.nanoTime();
    private final QueueStore store;
    private final TrackingLog tracking;
    private final BackPressure pressure;
    private final @Nullable Dispatcher dispatcher;

    /**
     * Answers for a hub with a queue.
     *
     * @param dispatcher null when nothing is delivered
     */
    public AdminCommands(
            QueueStore store,
            TrackingLog tracking,
            BackPressure pressure,
            @Nullable Dispatcher dispatcher) {
        this.store = store;
        this.tracking = tracking;
        this.pressure = pressure;
        this.dispatcher = dispatcher;
    }

    /** {@return what reads and writes answers, of a later version too} To load it takes a while. */
    static ObjectMapper mapper() {
        return JsonMapper.builder()
                .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
                .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .build();
    }

    /** {@return where a change is asked for} */
    static String path(OperatorAction action) {
        return "/" + action.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    @Override
    public AdminServer.Page get(String path) {
        return path.equals(STATS) ? json(mapper().valueToTree(stats())) : unknown();
    }

    @Override
    public AdminServer.Page post(String path, String body) {
        Optional<OperatorAction> action = Arrays.stream(OperatorAction.values())
                .filter(known -> path(known).equals(path))
                .findFirst();
        if (action.isEmpty()) {
            return unknown();
        }
        List<QueueId> ids;
        try {
            ids = body.lines().limit(IDS_MAX + 1).map(QueueId::parse).toList();
        } catch (IllegalArgumentException e) {
            return text(HttpResponseStatus.BAD_REQUEST, String.valueOf(e.getMessage()));
        }
        if (ids.isEmpty() || ids.size() > IDS_MAX) {
            return text(
                    HttpResponseStatus.BAD_REQUEST,
                    "give 1 to " + IDS_MAX + " queue ids, each on a line");
        }
        try {
            return operate(action.get(), ids);
        } catch (RuntimeException e) {
            return text(HttpResponseStatus.INTERNAL_SERVER_ERROR, String.valueOf(e.getMessage()));
        }
    }

    private static AdminServer.Page unknown() {
        return text(HttpResponseStatus.NOT_FOUND, "unknown command (docs/operating.md)");
    }

    private static AdminServer.Page text(HttpResponseStatus status, String words) {
        return AdminServer.Page.text(status, words + "\n");
    }

    private static AdminServer.Page json(ObjectNode fields) {
        return new AdminServer.Page(HttpResponseStatus.OK, "application/json", fields + "\n");
    }

    private AdminServer.Page operate(OperatorAction action, List<QueueId> ids) {
        if (dispatcher != null && makesDue(action)) {
            // Before they are due: else they could be put off without having been tried.
            dispatcher.retryNow();
        }
        ObjectNode results = JsonNodeFactory.instance.objectNode();
        for (QueueId id : ids) {
            Optional<QueuedMessage> before =
                    action == OperatorAction.DELETE ? store.find(id) : Optional.empty();
            OperatorResult result = store.operate(id, action);
            if (result == OperatorResult.DONE) {
                before.ifPresent(message ->
                        tracking.offer(TrackingEvent.removed(TrackingEvent.Kind.DELETE, message)));
            }
            results.put(id.toString(), result.name().toLowerCase(Locale.ROOT));
        }
        return json(results);
    }

    private static boolean makesDue(OperatorAction action) {
        return action == OperatorAction.RETRY || action == OperatorAction.RELEASE;
    }

    private HubStatistics stats() {
        StoreStatistics now = store.statistics();
        Settlement settlement = dispatcher == null ? null : dispatcher.settlement();
        Receipt.Refused refused = store.refusal();
        if (refused == null) {
            refused = pressure.refusal();
        }
        return new HubStatistics(
                ProcessHandle.current().pid(),
                Duration.ofNanos(System.nanoTime() - startNanos).toSeconds(),
                now.length(),
                now.arrivals().messages(),
                settlement == null ? 0 : settlement.delivered().sum(),
                settlement == null ? 0 : settlement.deferred().sum(),
                pressure.level().name().toLowerCase(Locale.ROOT),
                refused == null ? null : refused.detail());
    }
}
