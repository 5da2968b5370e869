package org.hubmark.bench.kit.document;

import org.hubmark.bench.kit.page.Charts;
import org.hubmark.bench.machine.Environment;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Kinds of documents, documents and studies of which nothing matters but what a test says. */
public final class Made {
    /** A machine of two cores. */
    static final Environment MACHINE = machine("cpu", 2, "6");

    private Made() {}

    /** {@return documents with these tables alone, which are always valid} */
    public static Kind kind(String name, Form... forms) {
        return kind(name, List.of(), forms);
    }

    /** {@return documents with these facts and tables, which are always valid} */
    static Kind kind(String name, List<Name> facts, Form... forms) {
        return new Kind(
                name,
                name + ".json",
                facts,
                List.of(forms),
                Set.of(),
                document -> Findings.of(name, "", List.of(), List.of(), Map.of()),
                document -> List.of(),
                document -> new Charts(List.of()));
    }

    /** {@return a machine} */
    static Environment machine(String cpu, int cores, String kernel) {
        return new Environment(
                new Environment.Processor(cpu, cores, cores, null, null),
                null,
                new Environment.Software("os", kernel, "25", null),
                List.of(),
                null);
    }

    /** {@return a complete document with a table, measured in two hours of a day on a machine} */
    public static Document document(
            Kind kind,
            int fromHour,
            Environment machine,
            Map<String, @Nullable Object> facts,
            List<Row> rows) {
        return new Document(
                kind,
                new Provenance(
                        new Tool("0.1", "abc"),
                        "2026-01-01T1" + fromHour + ":00:00Z",
                        "2026-01-01T1" + (fromHour + 2) + ":00:00Z",
                        "made",
                        Map.of("x", 1),
                        machine),
                true,
                facts,
                List.of(new Table(kind.forms().getFirst(), rows)),
                List.of());
    }

    /** Time that passes only while somebody sleeps. */
    private static final class Simulated implements Clock {
        private long nanos;

        @Override
        public long nanos() {
            return nanos;
        }

        @Override
        public void sleep(Duration time) throws InterruptedException {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            nanos += time.toNanos();
        }
    }

    /** What a study does. */
    @FunctionalInterface
    interface Steps {
        void take(Context context) throws IOException, InterruptedException;
    }

    /** {@return a study of these steps} */
    static Study study(Kind kind, Steps steps) {
        return new Study() {
            @Override
            public Kind kind() {
                return kind;
            }

            @Override
            public Document run(Context context) throws IOException, InterruptedException {
                steps.take(context);
                return context.document();
            }
        };
    }

    /** {@return what a study finds, in a time that passes only while it sleeps} */
    static Document run(Study study, Path folder) throws Exception {
        return run(study, folder, Map.of(), MACHINE);
    }

    /** {@return the same with settings, on a machine} */
    static Document run(
            Study study, Path folder, Map<String, @Nullable Object> settings, Environment machine)
            throws Exception {
        return StudyRun.of(
                study,
                new Context.Request(
                        folder,
                        new Tool("0.1", null),
                        "hubmark " + study.kind().name(),
                        settings,
                        machine,
                        new Simulated(),
                        Progress.SILENT,
                        List::of));
    }
}
