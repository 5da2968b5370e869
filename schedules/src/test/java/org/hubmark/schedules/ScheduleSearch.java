package org.hubmark.schedules;

import org.jspecify.annotations.Nullable;
import org.pastalab.fray.core.TestRunner;
import org.pastalab.fray.core.command.Configuration;
import org.pastalab.fray.core.command.ExecutionInfo;
import org.pastalab.fray.core.command.Executor;
import org.pastalab.fray.core.command.NetworkDelegateType;
import org.pastalab.fray.core.command.SystemTimeDelegateType;
import org.pastalab.fray.core.observers.TimelineCoverageType;
import org.pastalab.fray.core.scheduler.Scheduler;
import org.pastalab.fray.rmi.TestStatusObserver;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The main of the JVM that Fray leads: runs a scenario by one schedule after the other until one fails or
 * the time is over, or once by the schedule of a file.
 *
 * <p>Time is simulated: a wait with a limit ends when nothing else can go on, or when others have looked at
 * the clock often enough.
 */
final class ScheduleSearch {
    /** By how much a look at the clock moves it: less than any limit of ours. */
    private static final long LOOK_NANOS = 1_000;

    private static final int STEPS_MAX = 200_000;

    private final Meeting scenario;
    private final Path folder;

    private ScheduleSearch(Meeting scenario, Path folder) {
        this.scenario = scenario;
        this.folder = folder;
    }

    /**
     * Searches: {@code SCENARIO MUTANT FOLDER SEED SCHEDULES SECONDS}; or replays: {@code SCENARIO MUTANT
     * FOLDER FILE}. The last line of standard output says what came of it.
     */
    public static void main(String[] arguments) throws Exception {
        ScheduleSearch search =
                new ScheduleSearch(Meetings.of(arguments[0]), Path.of(arguments[2]));
        if (arguments.length == 4) {
            search.replay(Path.of(arguments[3]));
        } else {
            search.search(
                    arguments[0],
                    arguments[1],
                    Long.parseLong(arguments[3]),
                    Integer.parseInt(arguments[4]),
                    Integer.parseInt(arguments[5]));
        }
        // Threads that wait for each other for ever keep the process no longer.
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }

    private void search(String name, String mutant, long seed, int schedulesMax, int seconds)
            throws IOException {
        Configuration configuration =
                configuration(new Turns(seed, Drawn.same()), schedulesMax, seconds, false);
        Path file = folder.resolve(name + (mutant.isEmpty() ? "" : "-" + mutant) + ".schedule");
        Files.deleteIfExists(file);
        configuration.getTestStatusObservers().add(new Found(cause -> {
            // A copy: threads that are told to end go on taking steps.
            Turns turns = (Turns) configuration.getScheduler();
            List<Integer> steps = List.copyOf(turns.steps());
            write(new ScheduleFile(name, mutant, turns.isFirst(), steps), file);
            print("found", configuration.getCurrentIteration() + 1, cause);
            Runtime.getRuntime().halt(0);
        }));
        new TestRunner(configuration).run();
        print("none", configuration.getCurrentIteration(), null);
    }

    private void replay(Path file) throws IOException {
        ScheduleFile schedule = ScheduleFile.read(file);
        // What is loaded once in a JVM was loaded before, by the first schedule.
        int schedules = schedule.isFirst() ? 1 : 2;
        Configuration configuration = configuration(
                new ReplayedTurns(schedule, schedule.isFirst(), Drawn.same()),
                schedules,
                Integer.MAX_VALUE,
                false);
        configuration.getTestStatusObservers().add(new Found(cause -> {
            ReplayedTurns replay = (ReplayedTurns) configuration.getScheduler();
            print(replay.fits() ? "found" : "differs", 1, cause);
            Runtime.getRuntime().halt(0);
        }));
        new TestRunner(configuration).run();
        print(((ReplayedTurns) configuration.getScheduler()).fits() ? "none" : "differs", 1, null);
    }

    private static void write(ScheduleFile schedule, Path file) {
        try {
            schedule.write(file);
        } catch (IOException e) {
            System.out.println("the schedule can't be written: " + e);
        }
    }

    private static void print(String outcome, int schedules, @Nullable Throwable cause) {
        if (cause != null) {
            cause.printStackTrace(System.out);
        }
        System.out.println("RESULT " + outcome + " " + schedules);
        System.out.flush();
    }

    private Configuration configuration(
            Scheduler scheduler, int schedulesMax, int seconds, boolean isReplay)
            throws IOException {
        Path report = Files.createDirectories(folder.resolve("fray"));
        return new Configuration(
                new ExecutionInfo(new Run(), false, false, STEPS_MAX),
                report,
                schedulesMax,
                // It goes on until so many seconds are over, and the next one too.
                seconds - 1,
                scheduler,
                Drawn::same,
                false,
                false,
                true,
                isReplay,
                false,
                false,
                NetworkDelegateType.NONE,
                SystemTimeDelegateType.MOCK,
                LOOK_NANOS,
                false,
                false,
                false,
                false,
                false,
                false,
                TimelineCoverageType.NONE);
    }

    /** The scenario as Fray runs it. */
    private final class Run implements Executor {
        @Override
        public void beforeExecution() {}

        @Override
        public void execute(boolean resetClassLoader) {
            try {
                scenario.run();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void afterExecution() {}
    }

    private interface Finding {
        void found(Throwable cause);
    }

    /** Hears of a schedule that fails. */
    private record Found(Finding finding) implements TestStatusObserver {
        @Override
        public void onExecutionStart() {}

        @Override
        public void onReportError(Throwable cause) {
            finding.found(cause);
        }

        @Override
        public void onExecutionDone(Throwable cause) {}

        @Override
        public void saveToReportFolder(Path folder) {}
    }
}
