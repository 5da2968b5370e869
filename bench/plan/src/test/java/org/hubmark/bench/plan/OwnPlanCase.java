package org.hubmark.bench.plan;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.kit.document.Context;
import org.hubmark.bench.kit.document.Progress;
import org.hubmark.bench.kit.document.Tool;
import org.hubmark.bench.plan.MadeResults.Counted;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Results that plans are made of: storage with and without a cache, and users. */
abstract class OwnPlanCase {
    @TempDir
    Path folder;

    @BeforeEach
    void results() throws IOException {
        storage("on", "metadata", new Counted(180, 120, 15, 100));
        pair("pair", new Counted(140, 110, 18, 30), new Counted(180, 120, 15, 100));
        MadeResults.users(
                folder.resolve("users"), "10h", new TreeMap<>(Map.of(100, 10L, 200, 600L)));
    }

    void storage(String name, String mode, Counted counted) throws IOException {
        new MadeResults.Storage()
                .setting("cache-mode", mode)
                .performance(counted.phase())
                .write(folder.resolve(name));
    }

    void pair(String name, Counted off, Counted on) throws IOException {
        new MadeResults.Storage()
                .setting("cache-mode", "off,metadata")
                .cache("off", off)
                .cache("metadata", on)
                .write(folder.resolve(name));
    }

    Collected read(String... names) {
        return read(new Collected(), names);
    }

    Collected read(Collected said, String... names) {
        return ResultFiles.read(
                Arrays.stream(names)
                        .map(name -> folder.resolve(name).toString())
                        .toList(),
                said);
    }

    static Collected given(Object... pairs) {
        Collected all = new Collected();
        for (int i = 0; i < pairs.length; i += 2) {
            all.said(
                    PlanInputs.of((String) pairs[i]).orElseThrow(),
                    ((Number) pairs[i + 1]).doubleValue(),
                    Source.given("--set"));
        }
        return all;
    }

    static Plan own(Collected measured, Collected said) {
        return OwnPlan.of(measured.with(said));
    }

    static double value(Plan plan, String step) {
        assertThat(plan.isKnown(PlanSteps.of(step))).as(step).isTrue();
        return plan.value(PlanSteps.of(step));
    }

    static List<String> assumptions(Plan plan, String step) {
        return plan.assumptions(PlanSteps.of(step)).stream().map(Input::key).toList();
    }

    static boolean isMet(Plan plan) {
        return plan.checks().stream().allMatch(plan::isMet);
    }

    Context.Request request(String command) {
        return new Context.Request(
                folder,
                new Tool("1", null),
                command,
                Map.of(),
                MadeMachine.MACHINE,
                new FixedClock(Instant.parse("2026-01-01T00:00:00Z")),
                Progress.SILENT,
                List::of);
    }
}
