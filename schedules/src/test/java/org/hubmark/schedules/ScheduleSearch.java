package org.hubmark.schedules;

import org.jspecify.annotations.Nullable;
import org.pastalab.fray.core.TestRunner;
import org.pastalab.fray.core.command.Configuration;
import org.pastalab.fray.core.command.ExecutionInfo;
import org.pastalab.fray.core.command.Executor;
import org.pastalab.fray.core.command.NetworkDelegateType;
import org.pastalab.fray.core.command.SystemTimeDelegateType;
import org.pastalab.fray.core.observers.TimelineCoverageType;
import org.pastalab.fray.rmi.TestStatusObserver;

import java.nio.file.Path;

/**
 * The main of the JVM that Fray leads: runs a scenario by one schedule after the other until one fails or the
 * time is over.
 *
 * <p>Time is simulated: a wait with a limit ends when nothing else can go on, or when others have looked at
 * the clock often enough.
 */
final class ScheduleSearch {
    /** By how much a look at the clock moves it: less than any limit of ours. */
    private static final long LOOK_NANOS = 1_000;

    private static final int STEPS_MAX = 200_000;

    private ScheduleSearch() {}

    /**
     * Searches: {@code SCENARIO FOLDER SEED SECOND SCHEDULES SECONDS}. The last line of standard output says
     * what came of it.
     */
    public static void main(String[] arguments) {
        Scenario scenario = Scenario.valueOf(arguments[0]);
        Configuration configuration = new Configuration(
                new ExecutionInfo(new Run(scenario), false, false, STEPS_MAX),
                Path.of(arguments[1]),
                Integer.parseInt(arguments[4]),
                // It goes on until so many seconds are over, and the next one too.
                Integer.parseInt(arguments[5]) - 1,
                new Turns(Long.parseLong(arguments[2]), Integer.parseInt(arguments[3])),
                Turns.Drawn::same,
                false,
                false,
                true,
                false,
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
        configuration.getTestStatusObservers().add(new End(configuration));
        new TestRunner(configuration).run();
        end("none", configuration.getCurrentIteration(), null);
    }

    private static void end(String outcome, int number, @Nullable Throwable cause) {
        if (cause != null) {
            cause.printStackTrace(System.out);
        }
        System.out.println("RESULT " + outcome + " " + number);
        System.out.flush();
        // Threads that wait for each other for ever keep the process no longer.
        Runtime.getRuntime().halt(0);
    }

    /** The scenario as Fray runs it. */
    private record Run(Scenario scenario) implements Executor {
        @Override
        public void beforeExecution() {}

        @Override
        public void execute(boolean resetClassLoader) {
            try {
                scenario.story.run();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void afterExecution() {}
    }

    /** Ends with the first schedule that fails. */
    private record End(Configuration configuration) implements TestStatusObserver {
        @Override
        public void onExecutionStart() {}

        @Override
        public void onReportError(Throwable cause) {
            end("found", ((Turns) configuration.getScheduler()).number(), cause);
        }

        @Override
        public void onExecutionDone(Throwable cause) {}

        @Override
        public void saveToReportFolder(Path folder) {}
    }
}
