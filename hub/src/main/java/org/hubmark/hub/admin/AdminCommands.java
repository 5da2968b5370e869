package org.hubmark.hub.admin;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import org.hubmark.core.Durations;
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

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Commands of an operator to a running hub. The admin socket's thread; a change is made by one of
 * its own, so that a queue that does not answer leaves the socket free.
 *
 * <p>A request is {@code {"command":"stats"}}, or one of {@code retry}, {@code release},
 * {@code dead-letter} and {@code delete} with {@code "ids":["1MGYT9P0W4FZZ"]}. The answer has
 * {@code stats}, or {@code results} with what became of each id, or {@code error}.
 */
public final class AdminCommands {
    /** Each may take a sync of the log. */
    static final int IDS_MAX = 100;

    /** For a change of the queue; less than the operator waits. */
    public static final Duration CHANGE_TIME_MAX = Duration.ofSeconds(30);

    static final String COMMAND = "command";
    static final String STATS = "stats";
    static final String IDS = "ids";
    static final String RESULTS = "results";
    static final String ERROR = "error";

    private final long startNanos = System.nanoTime();
    private final QueueStore store;
    private final TrackingLog tracking;
    private final BackPressure pressure;
    private final @Nullable Dispatcher dispatcher;
    private final Duration changeTimeMax;
    private final Semaphore changes = new Semaphore(1);

    /** Made when somebody asks: to load it would be a good part of a hub's start. */
    private @Nullable ObjectMapper json;

    /**
     * Answers for a hub with a queue.
     *
     * @param dispatcher null when nothing is delivered
     * @param changeTimeMax until an operator is told that a change is still under way
     */
    public AdminCommands(
            QueueStore store,
            TrackingLog tracking,
            BackPressure pressure,
            @Nullable Dispatcher dispatcher,
            Duration changeTimeMax) {
        this.store = store;
        this.tracking = tracking;
        this.pressure = pressure;
        this.dispatcher = dispatcher;
        this.changeTimeMax = changeTimeMax;
    }

    /** {@return what reads and writes requests and answers, of a later version too} */
    static ObjectMapper mapper() {
        return JsonMapper.builder()
                .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .build();
    }

    /** {@return what a command is called} */
    static String name(OperatorAction action) {
        return action.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** {@return the answer to a request} Whatever it says. */
    public String answer(String request) {
        ObjectMapper mapper = json == null ? mapper() : json;
        json = mapper;
        ObjectNode answer = mapper.createObjectNode();
        try {
            JsonNode asked = mapper.readTree(request);
            String command = asked.path(COMMAND).asText();
            if (command.equals(STATS)) {
                answer.set(STATS, mapper.valueToTree(stats()));
            } else {
                ObjectNode results = answer.putObject(RESULTS);
                change(action(command), ids(asked.path(IDS)))
                        .forEach((id, result) ->
                                results.put(id.toString(), result.name().toLowerCase(Locale.ROOT)));
            }
        } catch (JsonProcessingException e) {
            answer.put(ERROR, "not a request: no line of JSON");
        } catch (IllegalArgumentException | IllegalStateException | UncheckedIOException e) {
            answer.put(ERROR, String.valueOf(e.getMessage()));
        }
        return answer.toString();
    }

    private static OperatorAction action(String command) {
        List<String> known = new ArrayList<>(List.of(STATS));
        for (OperatorAction action : OperatorAction.values()) {
            if (name(action).equals(command)) {
                return action;
            }
            known.add(name(action));
        }
        throw new IllegalArgumentException(
                "this hub does not know that command; it knows " + String.join(", ", known));
    }

    private static List<QueueId> ids(JsonNode texts) {
        if (!texts.isArray() || texts.isEmpty() || texts.size() > IDS_MAX) {
            throw new IllegalArgumentException(IDS + " has to list 1 to " + IDS_MAX + " queue ids");
        }
        List<QueueId> ids = new ArrayList<>();
        texts.forEach(text -> ids.add(QueueId.parse(text.asText())));
        return ids;
    }

    private Map<QueueId, OperatorResult> change(OperatorAction action, List<QueueId> ids) {
        if (!changes.tryAcquire()) {
            throw new IllegalStateException(
                    "the change that was asked for before is still under way; ask again");
        }
        CompletableFuture<Map<QueueId, OperatorResult>> change = CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return operate(action, ids);
                    } finally {
                        changes.release();
                    }
                },
                task -> Thread.ofPlatform().daemon().name("admin-change").start(task));
        try {
            return change.get(changeTimeMax.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException("the change failed: " + e.getCause(), e);
        } catch (TimeoutException e) {
            throw new IllegalStateException(
                    "the queue has not answered for " + Durations.format(changeTimeMax)
                            + "; the request may be done all the same",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private Map<QueueId, OperatorResult> operate(OperatorAction action, List<QueueId> ids) {
        if (dispatcher != null && makesDue(action)) {
            // Before they are due: else they could be put off without having been tried.
            dispatcher.retryNow();
        }
        Map<QueueId, OperatorResult> results = new LinkedHashMap<>();
        for (QueueId id : ids) {
            Optional<QueuedMessage> before =
                    action == OperatorAction.DELETE ? store.find(id) : Optional.empty();
            OperatorResult result = store.operate(id, action);
            if (result == OperatorResult.DONE) {
                before.ifPresent(message -> tracking.offer(TrackingEvent.deleted(message)));
            }
            results.put(id, result);
        }
        return results;
    }

    private static boolean makesDue(OperatorAction action) {
        return switch (action) {
            case RETRY, RELEASE -> true;
            case DEAD_LETTER, DELETE -> false;
        };
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
                now.length().messages(),
                now.length().bytes(),
                now.length().deadMessages(),
                now.length().damagedMessages(),
                now.arrivals().messages(),
                settlement == null ? 0 : settlement.delivered().sum(),
                settlement == null ? 0 : settlement.deferred().sum(),
                pressure.level().name().toLowerCase(Locale.ROOT),
                refused == null ? null : refused.detail());
    }
}
