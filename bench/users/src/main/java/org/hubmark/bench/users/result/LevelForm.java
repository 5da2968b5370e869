package org.hubmark.bench.users.result;

import org.hubmark.bench.kit.check.MachineMeter;
import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Column.Better;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Estimate;
import org.hubmark.bench.kit.document.Form;
import org.hubmark.bench.kit.document.Formula;
import org.hubmark.bench.kit.document.Formula.Counter;
import org.hubmark.bench.kit.document.Formula.Place;
import org.hubmark.bench.kit.document.Name;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.kit.document.Times;
import org.hubmark.bench.kit.document.Values;
import org.jspecify.annotations.Nullable;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/**
 * The levels of users.json: what is counted of each run with so many users, and the figures that are made
 * of it. Latencies and what was spent are means over the middle runs by the score, as LoadGen has it;
 * tasks, messages and maxima are those of all runs.
 */
public final class LevelForm {
    public static final Name USERS = Name.of("users", "Users");

    /** By the profile and these users; null where it can't be said. */
    public static final Name EXPECTED = Name.note("expected_per_user_day", "");

    public static final Name RUN = Name.note("run", "Run");

    /** What else is to be said of a run, a sentence each. */
    public static final Name NOTES = Name.note("notes", "");

    public static final Name TASK = Name.of("task", "Task");

    /** Share of the score, 0 to 1. */
    public static final Name WEIGHT = Name.note("weight", "Weight");

    /** From the intended start of a task to its end. */
    public static final Times TASK_NS = new Times("task_ns");

    /** All tasks that send, together, without the copy that is kept: LoadGen's Sendmail. */
    public static final Times SEND_NS = new Times("send_ns");

    /** From the intended start of sending to being seen in a recipient's mailbox by IMAP. */
    public static final Times ARRIVAL_NS = new Times("arrival_ns");

    /** Tasks whose intended start was in the measured time. */
    public static final Counter PLANNED = new Counter("planned");

    public static final Counter FAILED = new Counter("failed");

    /** Before the keys of the load of a user and day. */
    private static final String OF_DAY = "per_user_day.";

    /** Before the kind of a failure, in the key of its counter. */
    private static final String FAILED_BY = "failed: ";

    /** Messages that the server accepted. */
    public static final Counter SENT = new Counter("sent_msgs");

    /** Those, times the recipients of each; so all that follow. */
    public static final Counter EXPECTED_MSGS = new Counter("expected_msgs");

    public static final Counter ARRIVED = new Counter("arrived_msgs");
    public static final Counter MISSING = new Counter("missing_msgs");

    /** Not seen in mailboxes that could not be looked into at the end. */
    public static final Counter UNCOUNTED = new Counter("uncounted_msgs");

    /** Copies beyond the first. */
    public static final Counter TWICE = new Counter("twice_msgs");

    /** Messages whose sending broke off before the answer. */
    public static final Counter UNCERTAIN = new Counter("uncertain_msgs");

    public static final Counter MEASURED_NS = new Counter("measured_ns");

    /** Users times the part of a day that was played. */
    public static final Counter USER_DAYS = new Counter("user_days");

    public static final Counter SENT_NEW = new Counter("sent_new");
    public static final Counter SENT_REPLY = new Counter("sent_reply");
    public static final Counter SENT_REPLY_ALL = new Counter("sent_reply_all");
    public static final Counter SENT_FORWARD = new Counter("sent_forward");
    public static final Counter RECEIVED = new Counter("received");
    public static final Counter RECIPIENTS = new Counter("recipients");

    private static final Formula SENT_IN_DAY =
            SENT_NEW.plus(SENT_REPLY).plus(SENT_REPLY_ALL).plus(SENT_FORWARD);

    private static final Formula DONE = new Formula.Lambda(
            "number of " + TASK_NS.words(), run -> (double) run.times(TASK_NS).getTotalCount());

    public static final Column TASK_P95 = task("p95_ms", "95th", Place.P95);
    public static final Column TASK_P50 = task("p50_ms", "50th", Place.P50);
    static final Column PLANNED_TASKS = sum(PLANNED, "Planned");
    public static final Column DONE_TASKS = Column.ofAll("done", "", "Done", 0, DONE);
    public static final Column FAILED_TASKS = sum(FAILED, "Failed");
    public static final Column OPEN_TASKS =
            Column.ofAll("open", "", "Open", 0, PLANNED.minus(DONE).minus(FAILED));

    /** The tasks of a run, or of a level. */
    public static final Form TASKS = new Form(
            "tasks",
            "Tasks",
            "The latency of a task counts from its intended start. It is open when it was begun or due, and"
                    + " not done when the run was over.",
            List.of(TASK, WEIGHT),
            List.of(
                    new Form.Group(
                            "Latency of tasks",
                            List.of(
                                    TASK_P50,
                                    TASK_P95,
                                    task("p99_ms", "99th", Place.P99),
                                    task("mean_ms", "Mean", Place.MEAN),
                                    task("sd_ms", "Standard deviation", Place.DEVIATION),
                                    Column.ofAll(
                                            "max_ms", "ms", "Maximum", 1, TASK_NS.at(Place.MAX)))),
                    new Form.Group(
                            "Tasks done",
                            List.of(PLANNED_TASKS, DONE_TASKS, FAILED_TASKS, OPEN_TASKS))),
            Estimate.Rule.middleRepeats(null),
            "repeats",
            List.of(),
            List.of(),
            List.of(derived("failures", "", (document, task) -> failures(task))),
            null);

    /** LoadSim's score; tasks that were done too seldom for a 95th percentile are in neither sum. */
    public static final Column SCORE = Column.of(
            "score_ms",
            "ms",
            "Score",
            1,
            Better.LESS,
            new Formula.Lambda(
                    "mean of " + TASK_P95.label() + " of tasks, weighted by " + WEIGHT.label(),
                    LevelForm::weightedMean));

    private static final List<Column> SENDING =
            Column.latencies("send_latency_ms", "Sending,", 1, SEND_NS, Place.MEAN, Place.P95);
    public static final Column SEND_P95 = SENDING.getLast();
    private static final List<Column> ARRIVING =
            Column.latencies("arrival_latency_ms", "Arrival,", 1, ARRIVAL_NS, Place.P50, Place.P95);
    public static final Column ARRIVAL_MAX = Column.ofAll(
            "arrival_latency_ms.max", "ms", "Arrival, max", 1, ARRIVAL_NS.at(Place.MAX));

    public static final Column SENT_MSGS = sum(SENT, "Messages sent");
    public static final Column EXPECTED_COPIES =
            sum(EXPECTED_MSGS, "Sent, times the recipients of each");
    public static final Column ARRIVED_MSGS = sum(ARRIVED, "Arrived");
    public static final Column MISSING_MSGS = sum(MISSING, "Missing");
    public static final Column UNCOUNTED_MSGS =
            sum(UNCOUNTED, "Not counted: mailboxes that could not be looked into");
    public static final Column TWICE_MSGS = sum(TWICE, "Copies beyond the first");
    public static final Column UNCERTAIN_MSGS =
            sum(UNCERTAIN, "Broken off before the server answered");

    public static final Column SENT_A_DAY = ofDay("sent", "Sent", SENT_IN_DAY);
    public static final Column RECEIVED_A_DAY = ofDay("received", "Received", RECEIVED);

    /** The load of a user and day; in the order of {@link PerUserDay#figures}. */
    public static final List<Column> DAY = List.of(
            SENT_A_DAY,
            ofDay("sent_new", "Sent as new mail", SENT_NEW),
            ofDay("sent_reply", "Sent as a reply", SENT_REPLY),
            ofDay("sent_reply_all", "Sent as a reply to all", SENT_REPLY_ALL),
            ofDay("sent_forward", "Sent as a forward", SENT_FORWARD),
            RECEIVED_A_DAY,
            Column.ofAll(
                    OF_DAY + "recipients_mean",
                    "",
                    "Recipients of a message",
                    2,
                    RECIPIENTS.over(SENT_IN_DAY)));

    /** All runs with so many users. */
    public static final Form LEVELS = new Form(
            "levels",
            "Levels",
            "The score is the weighted mean of the tasks' 95th percentiles. Sending is all tasks that"
                    + " send, together, until the server has taken the message; the copy that is kept"
                    + " of it is the task SAVE. A message has arrived when it is seen in a mailbox by IMAP."
                    + " Tasks, messages and maxima are those of all runs.",
            List.of(USERS, EXPECTED, ResourceForm.SOURCE),
            List.of(
                    new Form.Group(
                            "Levels",
                            Stream.of(List.of(SCORE), SENDING, ARRIVING, List.of(ARRIVAL_MAX))
                                    .flatMap(List::stream)
                                    .toList(),
                            List.of(derived("load_users", "Users of the day", LevelForm::load))),
                    new Form.Group(
                            "Every message accounted for",
                            List.of(
                                    SENT_MSGS,
                                    EXPECTED_COPIES,
                                    ARRIVED_MSGS,
                                    MISSING_MSGS,
                                    UNCOUNTED_MSGS,
                                    TWICE_MSGS,
                                    UNCERTAIN_MSGS)),
                    new Form.Group("What was spent", ResourceForm.ALL),
                    // A section of its own sets them beside what is expected and published.
                    new Form.Group("", DAY)),
            Estimate.Rule.middleRepeats(SCORE),
            "repeats",
            List.of(RUN, NOTES, MachineMeter.OTHERS),
            List.of(TASKS, ResourceForm.DISKS),
            List.of(
                    derived("passes", "Passes", Judgement::passes),
                    derived("reasons", "", Judgement::reasons),
                    derived(
                            "limiting_resource",
                            "Limiting resource",
                            (document, level) ->
                                    LimitingResource.of(document, level).resource()),
                    derived(
                            "limiting_reason",
                            "",
                            (document, level) ->
                                    LimitingResource.of(document, level).reason()),
                    derived("runs", "Runs", (document, level) -> level.counted().size()),
                    derived(
                            "middle_runs",
                            "Runs in the means",
                            (document, level) -> level.middle().stream()
                                    .map(run -> run.names().get(RUN.key()))
                                    .toList())),
            null);

    private LevelForm() {}

    private static Form.Derived derived(
            String key, String label, BiFunction<Document, Row, @Nullable Object> made) {
        return new Form.Derived(Name.note(key, label), made);
    }

    private static Column ofDay(String key, String label, Formula count) {
        return Column.ofAll(OF_DAY + key, "", label, 2, count.over(USER_DAYS));
    }

    private static double weightedMean(Values run) {
        double sum = 0;
        double weights = 0;
        for (Values task : run.parts(TASKS)) {
            double value = task.of(TASK_P95);
            double weight = task.number(WEIGHT);
            if (Double.isFinite(value) && weight > 0) {
                sum += weight * value;
                weights += weight;
            }
        }
        return sum / weights;
    }

    private static Column task(String key, String label, Place place) {
        return Column.of(key, "ms", label, 1, Better.NEITHER, TASK_NS.at(place));
    }

    private static Column sum(Counter counter, String label) {
        return Column.ofAll(counter.key(), "", label, 0, counter);
    }

    /** {@return the counter of failures of a kind, which is in words ("connection dropped")} */
    public static Counter failedBy(String kind) {
        return new Counter(FAILED_BY + kind);
    }

    /** {@return how many of a task failed in all runs, by kind} */
    public static Map<String, Long> failures(Row task) {
        Map<String, Long> failures = new TreeMap<>();
        for (Repeat run : task.counted()) {
            run.counters().forEach((key, count) -> {
                if (key.startsWith(FAILED_BY)) {
                    failures.merge(key.substring(FAILED_BY.length()), count.longValue(), Long::sum);
                }
            });
        }
        return failures;
    }

    /** {@return how many users there are} */
    public static int users(Row level) {
        return (int) level.number(USERS);
    }

    /** {@return the users whose day is played: where it goes by faster, each user is the load of several} */
    static long load(Document document, Row level) {
        return Math.round(users(level) * UsersResult.pace(document).compress());
    }

    /** {@return so many users, in words} */
    public static String text(Row level) {
        return String.format(Locale.ROOT, "%,d users", users(level));
    }

    /** {@return the levels, in increasing order of users} */
    public static List<Row> levels(Document document) {
        return document.table(LEVELS).rows().stream()
                .sorted(Comparator.comparingInt(LevelForm::users))
                .toList();
    }
}
