package org.hubmark.bench.cli;

import org.hubmark.bench.UserError;
import org.hubmark.bench.load.TargetProbe;
import org.hubmark.bench.machine.folders.MadeFolder;
import org.hubmark.bench.measure.matrix.CellPlan;
import org.hubmark.bench.measure.matrix.Times;
import org.hubmark.bench.measure.run.Interruption;
import org.hubmark.bench.measure.run.RunRequest;
import org.hubmark.bench.measure.run.RunSession;
import org.hubmark.bench.measure.run.ScenarioRequest;
import org.hubmark.bench.measure.run.TargetFacts;
import org.hubmark.bench.results.Results;
import org.hubmark.bench.results.compare.FactorEffects;
import org.hubmark.bench.results.cost.CostModels;
import org.hubmark.bench.results.report.Report;
import org.hubmark.bench.results.report.SelfCheck;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * A matrix over a server that isn't ours: what a driver can vary from outside, message sizes and
 * connections. The rest of it is the server's own affair.
 */
final class TargetMatrix {
    /** What varies a hub of our own, or makes its volumes. */
    private static final List<String> OF_OUR_HUB = List.of(
            "--preset",
            "--layouts",
            "--durability",
            "--write-cache",
            "--checkpoint-depth",
            "--device-profile",
            "--deliver",
            "--log-volume",
            "--queue-volume",
            "--tracking-volume",
            "--volume-size",
            "--set");

    private final CommandSpec spec;
    private final InetSocketAddress target;
    private final CellDriver driver;
    private final List<Long> sizes;
    private final List<Integer> connections;

    /**
     * Checks what can be checked before anything is sent.
     *
     * @param spec whose arguments have been parsed
     */
    TargetMatrix(
            CommandSpec spec,
            InetSocketAddress target,
            List<Long> sizes,
            List<Integer> connections) {
        this.spec = spec;
        this.target = target;
        this.sizes = sizes;
        this.connections = connections;
        ParseResult parsed = spec.commandLine().getParseResult();
        for (String option : OF_OUR_HUB) {
            if (parsed.hasMatchedOption(option)) {
                throw UserError.usage(option + " is for a hub of our own; of a --target a matrix"
                        + " varies --sizes and --connections");
            }
        }
        this.driver = new CellDriver(spec, null);
    }

    /** Says what would be measured. */
    int outline() {
        List<ScenarioRequest> cells = scenarios();
        cells.forEach(cell -> System.out.println(cell.id()));
        Duration time = CellPlan.estimate(
                cells.size() * driver.repeat(),
                driver.warmup().plus(driver.duration()),
                0,
                Duration.ZERO);
        System.out.println(cells.size() + (cells.size() == 1 ? " cell" : " cells")
                + ", each measured " + driver.repeat() + (driver.repeat() == 1 ? " time" : " times")
                + "; about " + Times.text(time));
        return 0;
    }

    /**
     * Measures.
     *
     * @param known of the target, closed here
     * @param print shows the results and the folder that they are in
     * @return the exit code
     */
    int run(
            TargetOptions known,
            boolean ceilings,
            @Nullable Path output,
            BiConsumer<Results, Path> print)
            throws IOException {
        var unused = TargetProbe.ask(target, driver.tls(), driver.auth(target));
        try (Interruption interruption = new Interruption();
                TargetFacts facts = known.facts(target);
                MadeFolder made = Outcomes.folder(output);
                RunSession session =
                        new RunSession(request(facts, ceilings), made.path(), interruption)) {
            Path folder = made.path();
            Results results = session.run();
            String failure = session.failure();
            if (failure != null && results.scenarios().isEmpty()) {
                throw UserError.failed(failure);
            }
            results = results.with(
                    new CostModels(results.scenarios()).models(),
                    FactorEffects.of(results.scenarios()));
            results.write(folder.resolve("results.json"));
            SelfCheck check = Report.write(results, folder);
            if (!driver.quiet()) {
                print.accept(results, folder);
            }
            if (failure != null) {
                throw UserError.failed(failure);
            }
            int code = Outcomes.exitCode(results, session.interrupted(), System.err);
            return Outcomes.exitCode(code, check, System.err);
        }
    }

    private RunRequest request(TargetFacts facts, boolean ceilings) {
        return new RunRequest(
                        Main.PROGRAM,
                        scenarios(),
                        driver.repeat(),
                        driver.warmup(),
                        driver.warmupMax(),
                        driver.duration(),
                        ceilings,
                        facts,
                        driver.quiet(),
                        settings(),
                        Outcomes.commandText(spec),
                        driver.seed())
                .shared(driver.sharedMachine());
    }

    /** What concerns a hub of our own is in force only where one is started. */
    private Map<String, Object> settings() {
        Map<String, Object> settings = Outcomes.settings(spec);
        OF_OUR_HUB.stream()
                .map(option -> option.replaceFirst("^--", ""))
                .filter(settings::containsKey)
                .forEach(name -> settings.put(name, null));
        return settings;
    }

    private List<ScenarioRequest> scenarios() {
        List<ScenarioRequest> cells = new ArrayList<>();
        for (long size : sizes) {
            for (int open : connections) {
                cells.add(driver.scenario(size, open, target));
            }
        }
        return cells;
    }
}
