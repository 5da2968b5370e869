package org.hubmark.bench.users;

import static org.hubmark.bench.users.result.LevelForm.SENT_FORWARD;
import static org.hubmark.bench.users.result.LevelForm.SENT_NEW;
import static org.hubmark.bench.users.result.LevelForm.SENT_REPLY;
import static org.hubmark.bench.users.result.LevelForm.SENT_REPLY_ALL;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.summingDouble;

import org.hubmark.bench.kit.document.Formula.Counter;
import org.hubmark.bench.users.profile.UserProfile;
import org.hubmark.bench.users.result.PerUserDay;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What a user does with mail, as LoadSim names it. A task stands here and nowhere else: its weight in the
 * score, how often a profile has it in a day, and what is done. The source prints no weights, only that READ
 * has more than half of all: the numbers here are ours.
 */
@SuppressWarnings(
        "ImmutableEnumChecker") // Neither a counter nor what is done has anything to change.
public enum Task {
    SEND(0.08, "send_per_day", SENT_NEW, (user, turn) -> user.send(turn, user.chosen(), null)),
    REPLY(0.05, "reply_per_day", SENT_REPLY, (user, turn) -> user.send(turn, user.sender(), null)),
    REPLY_ALL(0.03, "reply_all_per_day", SENT_REPLY_ALL, (user, turn) -> {
        user.send(turn, user.allOfOne(), null);
    }),
    FORWARD(0.04, "forward_per_day", SENT_FORWARD, (user, turn) -> {
        String original = user.mailbox().load(user.any(false));
        user.send(turn, user.chosen(), original);
    }),
    /** All that is not read on receipt. */
    READ(0.55, null, null, (user, turn) -> {
        UserProfile.Reading reading = user.profile().reading();
        boolean unread = user.isDrawn(reading.newPercent());
        boolean load = user.isDrawn(reading.loadAttachmentPercent());
        user.mailbox().read(user.any(unread), load);
    }),
    BROWSE(0.10, "browse_per_day", null, (user, turn) -> user.mailbox().browse()),
    DELETE(0.10, "delete_percent", null, (user, turn) -> user.mailbox().delete(user.any(false))),
    MOVE(0.05, "move_percent", null, (user, turn) -> user.mailbox().move(user.any(false))),
    /** Not in the score, as in the source. */
    LOGON(0, null, null, null),
    /** Keeps a copy of a message that was sent, when the server has taken it. Who sends does not wait for it. */
    SAVE(0, null, null, null),
    /** Reads a message at once when the client is told of it. A profile takes its weight from READ's. */
    REACT(0, null, null, null);

    /** Those that send a message, until the server has taken it. */
    public static final List<Task> SENDING =
            Arrays.stream(values()).filter(task -> task.sent != null).toList();

    private final double weight;
    private final @Nullable String key;
    private final @Nullable Counter sent;
    private final @Nullable Act act;

    /** What a user does when it is due. */
    @FunctionalInterface
    interface Act {
        void run(UserDay user, Turn turn) throws IOException, TaskFailure;
    }

    /** A task that is due; whether it is measured hangs on that moment. */
    record Turn(Task task, long dueNanos, boolean measured) {}

    /**
     * Sets what it is.
     *
     * @param key of a profile: how often in a day, or where it ends in _percent to which share of the
     *     messages read; it is never done by a profile without the key
     * @param sent what its messages count as; null for one that sends none
     * @param act null for one without a time of its own, which follows from something else
     */
    Task(double weight, @Nullable String key, @Nullable Counter sent, @Nullable Act act) {
        this.weight = weight;
        this.key = key;
        this.sent = sent;
        this.act = act;
    }

    /** {@return its share of the score, 0 to 1, unless a profile has others} */
    public double weight() {
        return weight;
    }

    /** {@return its weight in the score; mail that is read on receipt has its share of READ's} */
    public double weight(UserProfile profile) {
        double read = profile.reading().perDay();
        double react = read > 0 ? READ.weight * profile.reading().onReceiptPerDay() / read : 0;
        return this == REACT ? react : this == READ ? weight - react : weight;
    }

    /** {@return how often it is done at times of its own in a day} */
    public double perDay(UserProfile profile) {
        UserProfile.Reading reading = profile.reading();
        return this == READ ? reading.perDay() - reading.onReceiptPerDay() : profile.perDay(key);
    }

    @Nullable
    Counter sent() {
        return sent;
    }

    void act(UserDay user, Turn turn) throws IOException, TaskFailure {
        Objects.requireNonNull(act, name()).run(user, turn);
    }

    /** {@return a profile, built in or from a file; all its keys are those of tasks, and it has some} */
    public static UserProfile profile(String nameOrFile) {
        UserProfile profile = UserProfile.of(nameOrFile);
        List<@Nullable String> keys =
                Arrays.stream(values()).map(task -> task.key).toList();
        profile.tasks().keySet().stream().filter(key -> !keys.contains(key)).forEach(key -> {
            throw UserError.usage(
                    "--profile " + nameOrFile + ", " + key + ": is not known; tasks have "
                            + keys.stream().filter(Objects::nonNull).collect(joining(", ")));
        });
        if (Arrays.stream(values()).allMatch(task -> task.perDay(profile) == 0)) {
            throw UserError.usage("--profile " + nameOrFile + ", its users do nothing");
        }
        return profile;
    }

    /**
     * {@return the load of a day that comes of a profile} A reply has one recipient, any other message the
     * random ones and now and then a list.
     *
     * @param meanListMembers of the lists as they are
     */
    public static PerUserDay expected(UserProfile profile, double meanListMembers) {
        double several = profile.writing().randomRecipients()
                + profile.writing().addListPercent() / 100 * meanListMembers;
        Map<Counter, Double> by = SENDING.stream()
                .collect(groupingBy(
                        task -> Objects.requireNonNull(task.sent),
                        summingDouble(task -> task.perDay(profile))));
        double replies = by.getOrDefault(SENT_REPLY, 0.0);
        double sent = by.values().stream().mapToDouble(Double::doubleValue).sum();
        double received = (sent - replies) * several + replies;
        return new PerUserDay(
                sent,
                by.get(SENT_NEW),
                replies,
                by.get(SENT_REPLY_ALL),
                by.get(SENT_FORWARD),
                received,
                sent > 0 ? (Double) (received / sent) : null);
    }
}
