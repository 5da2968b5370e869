package org.hubmark.bench.plan;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.kit.document.Context;
import org.hubmark.bench.kit.document.Tool;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Results that plans are made of: storage with and without a cache, and users. */
abstract class OwnPlanCase {
    @TempDir
    Path folder;

    private static final String STORAGE = """
            {"schema": 2,
             "settings": {"engine": "pages", "users": 500, "iops-per-user": 0.5, "cache-mode": "MODE", "cache-max": "256MB"},
             "thresholds": {"read_latency_ms": 20.0},
             "phases": [{"phase": "performance", "complete": true, "verdict": "pass",
               "achieved_iops": IOPS, "db_reads_per_s": READS, "db_writes_per_s": WRITES,
               "avg_db_read_latency_ms": READ_MS, "avg_db_write_latency_ms": 2.0,
               "log_writes_per_s": 50, "avg_log_write_latency_ms": 1.0,
               "host": {"cpu_percent": {"avg": 20.0, "min": 10.0, "max": 30.0}},
               "instances": [{"avg_db_read_latency_ms": 5.0, "transactions_per_s": 20.0},
                              {"avg_db_read_latency_ms": READ_MS, "transactions_per_s": PER_S}],
               "thread_steps": [{"threads_per_database": 1, "iops": 100.0, "db_read_latency_ms": 4.0},
                                {"threads_per_database": 2, "iops": 180.0, "db_read_latency_ms": 8.0},
                                {"threads_per_database": 4, "iops": 400.0, "db_read_latency_ms": 30.0},
                                {"threads_per_database": 8, "iops": 390.0, "db_read_latency_ms": null}]}]}
            """;

    @BeforeEach
    void results() throws IOException {
        storage("on", "metadata", 300, 180, 120, 15, 100);
        storage("off", "off", 250, 140, 110, 18, 30);
        write("users/users.json", """
                {"schema": 2, "valid": true, "settings": {"day": "10h"}, "users_passed": 100,
                 "levels": [
                  {"users": 100, "per_user_day": {"sent": 10.0, "received": 50.0}},
                  {"users": 200, "per_user_day": {"sent": 11.0, "received": 51.0}}]}
                """);
    }

    void storage(String name, String mode, int iops, int reads, int writes, double readMs, int perS)
            throws IOException {
        write(
                name + "/qualification.json",
                STORAGE.replace("MODE", mode)
                        .replace("IOPS", Integer.toString(iops))
                        .replace("READS", Integer.toString(reads))
                        .replace("WRITES", Integer.toString(writes))
                        .replace("READ_MS", Double.toString(readMs))
                        .replace("PER_S", Integer.toString(perS)));
    }

    void write(String file, String text) throws IOException {
        Path path = folder.resolve(file);
        Files.createDirectories(Objects.requireNonNull(path.getParent()));
        Files.writeString(path, text);
    }

    Collected read(String... names) {
        return MeasuredFiles.read(Arrays.stream(names)
                .map(name -> folder.resolve(name).toString())
                .toList());
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
                (phase, time) -> {},
                note -> {},
                (elapsed, seen) -> {},
                List::of);
    }
}
