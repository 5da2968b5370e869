package org.hubmark.bench.cli;

import org.hubmark.bench.kit.statistics.Digits;
import org.hubmark.bench.machine.watch.TargetFacts;
import org.hubmark.bench.users.Task;
import org.hubmark.bench.users.UsersRequest;
import org.hubmark.bench.users.UsersStudy;
import org.hubmark.bench.users.profile.UserProfile;
import org.hubmark.bench.users.result.LevelLimits;
import org.hubmark.core.Durations;
import org.hubmark.core.UserError;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;

/** Plays the day of users against a mail system. */
@Command(
        name = "users",
        description = {
            "Measures how many users a mail system holds: plays their day by SMTP and IMAP, as LoadSim"
                    + " and LoadGen did by MAPI, and gives the latency of each task, a score, and a"
                    + " verdict.",
            "Starts a hub of its own that delivers into an embedded mailbox server, unless --smtp and"
                    + " --imap are given. Exits with 0 if a level passes and nothing failed, 3 if no level passes, a task failed,"
                    + " mail is missing or the machine was busy with other work, 130 if"
                    + " interrupted."
        })
public final class UsersCommand implements Callable<Integer> {
    private static final int USERS_MAX = 100_000;
    private static final double COMPRESS_MAX = 10_000;
    private static final Duration DAY_MAX = Duration.ofHours(24);
    private static final Duration POLL_MIN = Duration.ofMillis(100);
    /** A client that looks for new mail each minute is a usual one. */
    private static final Duration POLL = Duration.ofMinutes(1);

    /** Longest wait for an answer of the server: a task that waits longer has failed. */
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    /** Longest wait for mail under way after a run. */
    private static final Duration SETTLE = Duration.ofMinutes(1);

    @Option(
            names = "--profile",
            paramLabel = "NAME|FILE",
            description =
                    "Profile of a user's day: light, medium, heavy, very-heavy, or FILE.yaml.")
    private String profile = "medium";

    @Option(
            names = "--users",
            split = ",",
            defaultValue = "100,200,400",
            description = "Users to serve; a level each.")
    private List<Integer> users = List.of();

    @Mixin
    private MailTargetOptions target;

    @Mixin
    private ServerMachineOptions machine;

    @Option(
            names = "--day",
            defaultValue = "8h",
            description = "Length of a user's day in the profile.")
    private Duration day;

    @Option(
            names = "--compress",
            defaultValue = "60",
            description = "Factor by which the day is shortened.")
    private double compress;

    @Mixin
    private CommonOptions.Warmup warmup;

    @Mixin
    private CommonOptions.MeasuredTime measured;

    @Mixin
    private CommonOptions.Runs runs;

    @Option(
            names = "--limit",
            defaultValue = "1000ms",
            description = "Score below which a level passes.")
    private Duration limit;

    @Option(
            names = "--send-limit",
            defaultValue = "500ms",
            description = "Highest p95 latency of sending.")
    private Duration sendLimit;

    @Mixin
    private CommonOptions.SharedMachine sharedMachine;

    @Mixin
    private CommonOptions.Seed seed;

    @Mixin
    private StudyOptions shown;

    @Override
    public Integer call() throws IOException {
        UsersRequest request = request();
        try (TargetFacts server = machine.facts("--smtp and --imap", request.target() != null)) {
            UsersStudy study = new UsersStudy(request, Main.PROGRAM, server);
            shown.say("users: profile " + request.profile().name() + ", its day "
                    + Digits.plain(compress)
                    + " times as fast; " + runs.count + " x "
                    + Durations.format(warmup.time.plus(measured.time)) + " for each level");
            return shown.run(study, shown.settings(), server::volumes);
        }
    }

    private UsersRequest request() {
        check();
        UserProfile read = Task.profile(profile);
        List<Integer> levels = users.stream().sorted().distinct().toList();
        return new UsersRequest(
                read,
                target.read(levels.getLast()),
                target.userFormat(),
                levels,
                runs.count,
                new LevelLimits(millis(limit), millis(sendLimit)),
                new UsersRequest.Timing(
                        day, compress, warmup.time, measured.time, poll(), TIMEOUT, SETTLE),
                sharedMachine.on,
                seed.value);
    }

    /** {@return the time between two looks for new mail where the server has no IDLE} */
    private Duration poll() {
        Duration ofDay = Duration.ofMillis(Math.round(POLL.toMillis() / compress));
        return ofDay.compareTo(POLL_MIN) < 0 ? POLL_MIN : ofDay;
    }

    private static double millis(Duration time) {
        return time.toNanos() / 1e6;
    }

    private void check() {
        if (!(compress > 0 && compress <= COMPRESS_MAX)) {
            throw UserError.usage(
                    "--compress " + compress + ": above 0, at most " + Math.round(COMPRESS_MAX));
        }
        users.forEach(count -> Ranges.within("--users", count, 2, USERS_MAX));
        runs.check();
        if (day.compareTo(DAY_MAX) > 0) {
            throw UserError.usage("--day " + Durations.format(day) + ": at most 24h");
        }
    }
}
