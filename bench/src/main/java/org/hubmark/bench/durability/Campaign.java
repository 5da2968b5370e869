package org.hubmark.bench.durability;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;

import org.hubmark.core.Durability;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * All kinds of crashes in all classes, in turns, for a time or a count. One thread; ends early, with
 * what there is, when interrupted.
 */
public final class Campaign {
    private static final int LIVES = 4;
    /** A device takes longer to make than its power to be cut. */
    private static final int POWER_CUTS = 8;
    /** Enough for the log to be too long and to be recycled. */
    private static final int SIMULATED_LIVES = 12;

    /** From then on there is time for a stop of a minute. */
    private static final Duration LONG_FORM_MIN = Duration.ofMinutes(10);

    private static final int LONG_FORM_CRASHES_MIN = 100;
    private static final ObjectMapper JSON = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .enable(SerializationFeature.INDENT_OUTPUT)
            .build();

    private final Request request;
    private final Path folder;
    private final Consumer<String> notes;
    private final List<Tally> tallies = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();
    private final List<String> skipped = new ArrayList<>();
    private final Target target;
    private final boolean longForm;
    private boolean interrupted;

    /**
     * What is asked for.
     *
     * @param classes durability classes
     * @param kinds kinds of crashes
     * @param time how long to go on, at least once each; null for a count
     * @param crashes how many of each kind in each class, where time is null
     * @param seed of the first history; the next one has the next number
     * @param connections over which mail is sent at once
     * @param server the command that starts another server, or null for our own hub
     * @param readBack the command that reads its queue, or null with our own hub
     */
    public record Request(
            List<Durability> classes,
            List<Kind> kinds,
            @Nullable Duration time,
            int crashes,
            long seed,
            int connections,
            @Nullable String server,
            @Nullable String readBack) {}

    /**
     * Prepares.
     *
     * @param folder gets durability.json, and what is left of histories in which a promise was broken
     * @param notes gets a line a phase
     */
    public Campaign(Request request, Path folder, Consumer<String> notes) {
        this.request = request;
        this.folder = folder;
        this.notes = notes;
        this.target = request.server() == null || request.readBack() == null
                ? new HubTarget()
                : new CommandTarget(request.server(), request.readBack());
        Duration time = request.time();
        this.longForm = time == null
                ? request.crashes() >= LONG_FORM_CRASHES_MIN
                : time.compareTo(LONG_FORM_MIN) >= 0;
    }

    /** Runs it all and writes durability.json. */
    public void run() throws IOException {
        Path library = prepare();
        long startNanos = System.nanoTime();
        long seed = request.seed();
        try {
            boolean more = !tallies.isEmpty();
            while (more) {
                more = false;
                for (Tally tally : tallies) {
                    Duration time = request.time();
                    int most = lives(tally.kind());
                    int lives = time == null
                            ? (int) Math.min(most, request.crashes() - tally.crashes())
                            : most;
                    boolean late = time != null
                            && System.nanoTime() - startNanos >= time.toNanos()
                            && tally.crashes() > 0;
                    if (lives > 0 && !late) {
                        run(tally, seed++, lives, library);
                        more = true;
                    }
                }
            }
        } catch (InterruptedException e) {
            interrupted = true;
        } finally {
            write();
        }
    }

    /** {@return the verdicts so far} */
    public List<Verdict> verdicts() {
        return tallies.stream().map(Tally::verdict).toList();
    }

    /** {@return what broke a promise, a line each} */
    public List<String> failures() {
        return List.copyOf(failures);
    }

    /** {@return what could not be tried here, a line each with the reason} */
    public List<String> skipped() {
        return List.copyOf(skipped);
    }

    /** {@return whether it was told to end early} */
    public boolean interrupted() {
        return interrupted;
    }

    /** {@return the library that makes writes fail, built; null where it is not needed or not had} */
    private @Nullable Path prepare() throws IOException {
        boolean needed = false;
        for (Kind kind : request.kinds()) {
            String obstacle = obstacle(kind);
            if (obstacle != null) {
                skipped.add(kind.text() + ": " + obstacle);
                notes.accept("skipped " + kind.text() + ": " + obstacle);
                continue;
            }
            needed |= Faults.needsLibrary(kind);
            for (Durability durability : request.classes()) {
                tallies.add(new Tally(target.name(), durability, kind));
            }
        }
        Files.createDirectories(folder);
        return needed ? FaultLibrary.build(folder) : null;
    }

    private @Nullable String obstacle(Kind kind) throws IOException {
        return switch (kind) {
            case POWER -> Recorder.obstacle();
            case TORN, FULL, EIO, CLOCK -> FaultLibrary.obstacle();
            case SIMULATED ->
                target instanceof HubTarget
                        ? null
                        : "only the store of our own hub can be simulated";
            case KILL, FLIP, STOP, FDS, MEMORY -> null;
        };
    }

    private void run(Tally tally, long seed, int lives, @Nullable Path library)
            throws IOException, InterruptedException {
        String id = tally.kind().text() + "-" + tally.durability().toString().replace('=', '-')
                + "-" + seed;
        Path home = folder.resolve(id);
        Files.createDirectories(home);
        History.Outcome outcome = history(tally, seed, lives, home, library);
        if (outcome.failure() != null) {
            tally.failed(seed);
            String line = tally.kind().text() + ", " + tally.durability() + ": "
                    + outcome.failure() + "; again with --kinds " + tally.kind().text()
                    + " --class " + tally.durability() + " --crashes " + outcome.crashes()
                    + " --seed " + seed + "; kept in " + home;
            failures.add(line);
            notes.accept("BROKEN " + line);
        }
        notes.accept(id + ": " + tally.crashes() + " crashes (in " + tally.felt()
                + " the fault was felt before), " + tally.acknowledged() + " acknowledged, "
                + tally.inDoubt() + " in doubt, damage reported after " + tally.reported());
    }

    private static int lives(Kind kind) {
        return switch (kind) {
            case POWER -> POWER_CUTS;
            case SIMULATED -> SIMULATED_LIVES;
            case KILL, TORN, FLIP, FULL, EIO, CLOCK, STOP, FDS, MEMORY -> LIVES;
        };
    }

    private History.Outcome history(
            Tally tally, long seed, int lives, Path home, @Nullable Path library)
            throws IOException, InterruptedException {
        int connections = request.connections();
        return switch (tally.kind()) {
            case POWER -> new PowerHistory(target, tally, seed, home, connections).run(lives);
            case SIMULATED -> new SimulatedHistory(tally, seed, home).run(lives);
            case KILL, FLIP, STOP, FDS, MEMORY ->
                new History(target, tally, seed, home, connections, null)
                        .run(lives, longForm && tally.crashes() == 0);
            case TORN, FULL, EIO, CLOCK ->
                new History(target, tally, seed, home, connections, library).run(lives, false);
        };
    }

    private void write() throws IOException {
        Path file = folder.resolve("durability.json");
        Path part = folder.resolve("durability.json.part");
        JSON.writeValue(part.toFile(), Map.of("verdicts", verdicts()));
        Files.move(part, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }
}
