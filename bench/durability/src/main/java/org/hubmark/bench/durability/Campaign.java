package org.hubmark.bench.durability;

import org.hubmark.bench.durability.result.CrashResult;
import org.hubmark.bench.hub.Program;
import org.hubmark.bench.kit.document.Context;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Kind;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Study;
import org.hubmark.bench.machine.folders.NewFolder;
import org.hubmark.bench.machine.volumes.PreloadLibrary;
import org.hubmark.core.Durability;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * All kinds of crashes in all classes, in turns, for a time or a count. Blocks; one thread.
 */
public final class Campaign implements Study {
    private static final int LIVES = 4;
    /** A device takes longer to make than its power to be cut. */
    private static final int POWER_CUTS = 8;

    /** All mail is looked for after each crash: the less there is, the more crashes an hour has. */
    private static final int CONNECTIONS = 8;

    /** What starting, loading, crashing and checking a server once takes, about. */
    private static final Duration LIFE = Duration.ofMillis(1500);

    /** A fault that was not felt in so many tries is not going to be. */
    private static final int ATTEMPTS_UNFELT_MAX = 4;
    /** For a fault that is felt now and then: so many tries for each crash that is asked for. */
    private static final int ATTEMPTS_PER_CRASH_MAX = 3;

    private final Request request;
    private final List<Tally> tallies = new ArrayList<>();
    private final List<String> unable = new ArrayList<>();
    private final Target target;

    /**
     * What is asked for.
     *
     * @param classes durability classes
     * @param kinds kinds of crashes
     * @param time how long to go on, at least once each; null for a count
     * @param crashes how many of each kind in each class, where time is null
     * @param seed of the first history; the next one has the next number
     * @param ignoreFlushes whether recorded devices ignore flushes, so that a promise must be broken
     * @param server the command that starts another server, or null for our own hub
     * @param readBack the command that reads its queue, or null with our own hub
     */
    public record Request(
            List<Durability> classes,
            List<CrashKind> kinds,
            @Nullable Duration time,
            int crashes,
            long seed,
            boolean ignoreFlushes,
            @Nullable String server,
            @Nullable String readBack) {}

    /**
     * Prepares.
     *
     * @param program whose hubs are crashed, unless another server is
     */
    public Campaign(Request request, Program program) {
        this.request = request;
        this.target = request.server() == null || request.readBack() == null
                ? new HubTarget(program)
                : new CommandTarget(request.server(), request.readBack());
    }

    @Override
    public Kind kind() {
        return CrashResult.KIND;
    }

    /** What is left of histories in which a promise was broken is kept in the folder of the results. */
    @Override
    public Document run(Context context) throws IOException, InterruptedException {
        PreloadLibrary library = prepare(context);
        long startNanos = context.clock().nanos() - testedNanos(context);
        long seed = context.fact(CrashResult.NEXT_SEED) instanceof Number next
                ? next.longValue()
                : request.seed();
        try {
            boolean more = !tallies.isEmpty();
            while (more) {
                more = false;
                for (Tally tally : tallies) {
                    int lives = livesLeft(tally, context.clock().nanos() - startNanos);
                    if (lives > 0) {
                        seed = run(tally, seed, lives, library, startNanos, context);
                        more = true;
                    }
                }
            }
        } catch (IOException | RuntimeException e) {
            // What was under way when we were told to end fails in many ways, each of no interest.
            if (!Thread.interrupted()) {
                throw e;
            }
            throw new InterruptedException();
        }
        return context.document();
    }

    /** {@return how long an interrupted run went on} */
    private static long testedNanos(Context context) {
        return context.fact(CrashResult.TESTED) instanceof Number seconds
                ? (long) (seconds.doubleValue() * 1e9)
                : 0;
    }

    /** Takes down what was counted so far; of what has no verdict yet only that. */
    private void keep(Tally tally, long nextSeed, long startNanos, Context context)
            throws IOException {
        context.fact(CrashResult.NEXT_SEED, nextSeed);
        context.fact(CrashResult.TESTED, (context.clock().nanos() - startNanos) / 1e9);
        context.fact(CrashResult.SKIPPED, skipped());
        if (tally.skipped() == null) {
            context.total(CrashResult.VERDICTS, tally.names(), tally.counted());
        }
    }

    /** {@return of what there is no verdict, a line each with the reason} */
    private List<String> skipped() {
        List<String> lines = new ArrayList<>(unable);
        for (Tally tally : tallies) {
            String reason = tally.skipped();
            if (reason != null) {
                lines.add(tally.kind() + ", " + tally.durability() + ": " + reason);
            }
        }
        return lines;
    }

    /** {@return the library that makes writes fail, built; null where it is not needed or not had} */
    private @Nullable PreloadLibrary prepare(Context context) throws IOException {
        boolean needed = false;
        List<CrashKind> able = new ArrayList<>();
        for (CrashKind kind : request.kinds()) {
            String obstacle = kind.obstacle();
            if (obstacle != null) {
                unable.add(kind + ": " + obstacle);
                context.note("skipped " + kind + ": " + obstacle);
                continue;
            }
            needed |= wantsLibrary(kind);
            able.add(kind);
        }
        // Class by class, so that a time that is too short for all is enough for the first.
        for (Durability durability : request.classes()) {
            for (CrashKind kind : able) {
                Tally tally = new Tally(target.name(), durability, kind);
                Repeat left = context.total(CrashResult.VERDICTS, tally.names());
                if (left != null) {
                    tally.add(left);
                }
                context.expect(CrashResult.VERDICTS, tally.names());
                tallies.add(tally);
            }
        }
        context.fact(CrashResult.SKIPPED, skipped());
        context.fact(CrashResult.FLUSHES_IGNORED, request.ignoreFlushes());
        return needed ? PreloadLibrary.load(context.folder()) : null;
    }

    /** {@return whether writes are to fail, or the syncs of our hub to be seen} */
    private boolean wantsLibrary(CrashKind kind) {
        return kind.needsLibrary()
                || (kind.losesUnsynced()
                        && target instanceof HubTarget
                        && PreloadLibrary.obstacle() == null);
    }

    /** {@return how often the next server may be crashed; 0 when it is enough} */
    private int livesLeft(Tally tally, long testedNanos) {
        if (tally.crashes() == 0 && tally.attempts() >= ATTEMPTS_UNFELT_MAX) {
            return 0;
        }
        Duration time = request.time();
        int most = tally.kind() == CrashKind.POWER ? POWER_CUTS : LIVES;
        if (time == null) {
            boolean enough = tally.attempts()
                    >= (long) ATTEMPTS_PER_CRASH_MAX * request.crashes() + ATTEMPTS_UNFELT_MAX;
            return enough ? 0 : (int) Math.min(most, request.crashes() - tally.crashes());
        }
        long left = time.toNanos() - testedNanos;
        if (left <= 0) {
            return 0;
        }
        // As long as some have had no turn, what is left is shared out among them.
        long waiting = tallies.stream().filter(one -> one.attempts() == 0).count();
        return Math.clamp(left / Math.max(1, waiting) / LIFE.toNanos(), 1, most);
    }

    /** {@return the seed of the next history} */
    private long run(
            Tally tally,
            long seed,
            int lives,
            @Nullable PreloadLibrary library,
            long startNanos,
            Context context)
            throws IOException, InterruptedException {
        try {
            // What an earlier campaign kept under that name is evidence, and no start for this one.
            Path home = NewFolder.fresh(context.folder(), id(tally, seed)).path();
            long before = tally.attempts();
            History.Outcome outcome = new History(
                            target,
                            tally,
                            seed,
                            home,
                            CONNECTIONS,
                            wantsLibrary(tally.kind()) ? library : null,
                            request.ignoreFlushes())
                    .run(lives);
            if (tally.attempts() == before) {
                // Else a server that never starts would be tried for ever.
                tally.unfelt(outcome.failure() == null ? "nothing was tried" : outcome.failure());
            }
            note(tally, seed, home, outcome, context);
        } finally {
            keep(tally, seed + 1, startNanos, context);
        }
        return seed + 1;
    }

    private static String id(Tally tally, long seed) {
        return tally.kind() + "-" + tally.durability().toString().replace('=', '-') + "-" + seed;
    }

    private void note(Tally tally, long seed, Path home, History.Outcome outcome, Context context) {
        if (outcome.failure() != null) {
            String line = tally.kind() + ", " + tally.durability() + ": "
                    + outcome.failure() + "; again with --kinds " + tally.kind()
                    + " --class " + tally.durability() + " --crashes " + outcome.crashes()
                    + " --seed " + seed + (request.ignoreFlushes() ? " --ignore-flushes" : "")
                    + "; kept in " + home;
            tally.failed(seed, line);
            context.note("BROKEN " + line);
        }
        context.note(id(tally, seed) + ": " + tally.crashes() + " crashes (in "
                + (tally.attempts() - tally.crashes()) + " more attempts "
                + (tally.unfelt() == null ? "the fault had no effect" : tally.unfelt()) + "), "
                + tally.count(CrashResult.ACKNOWLEDGED) + " acknowledged, "
                + tally.count(CrashResult.IN_DOUBT) + " in doubt, damage reported after "
                + tally.count(CrashResult.REPORTED));
    }
}
