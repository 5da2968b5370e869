package org.hubmark.bench.qualify.result;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Provenance;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Tool;
import org.hubmark.bench.machine.Environment;
import org.hubmark.bench.qualify.report.Qualification;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.Map;

/** Proves by a table that the first rule that holds names the limiting resource of a phase. */
class LimitingResourceTest {
    private static final long SECOND = 1_000_000_000;
    private static final double TARGET = 100;

    /** A second of two threads on one database, on two cores. */
    private static Repeat phase(
            String loop, int io, int cores, int tool, int log, int database, int waits) {
        return Repeat.counted()
                .name(PhaseFigures.LOOP, loop)
                .count(PhaseFigures.THREADS, 2)
                .count(InstanceFigures.COLLECTION_NS, SECOND)
                .parts(
                        InstanceFigures.INSTANCES,
                        List.of(Repeat.counted()
                                .name(InstanceFigures.INSTANCE, "I.1")
                                .count(IoCounter.DB_READS.counter(), io)
                                .count(IoCounter.DB_READ_NS.counter(), waits * SECOND / 50)
                                .count(IoCounter.DB_WRITES.counter(), 0)
                                .count(IoCounter.LOG_WRITE_NS.counter(), 0)
                                .made()))
                .parts(
                        PhaseFigures.DEVICES,
                        List.of(
                                device("sda", List.of("database"), database),
                                device("sdb", List.of("log"), log)))
                .samples(List.of(Repeat.counted()
                        .count(HostFigures.CORES_NS, 2 * SECOND)
                        .count(HostFigures.TOOL_CPU_NS, 2L * tool * (SECOND / 100))
                        .count(HostFigures.BUSY_TICKS, 2 * cores)
                        .count(HostFigures.TOTAL_TICKS, 200)
                        .made()))
                .made();
    }

    /** Its requests took three times as long as it was busy. */
    private static Repeat device(String name, List<String> roles, int busyPercent) {
        return Repeat.counted()
                .name(PhaseFigures.DEVICE, name)
                .name(PhaseFigures.ROLES, roles)
                .count(InstanceFigures.COLLECTION_NS, SECOND)
                .count(PhaseFigures.READ_MS, 20 * busyPercent)
                .count(PhaseFigures.WRITE_MS, 10 * busyPercent)
                .count(PhaseFigures.BUSY_MS, 10 * busyPercent)
                .made();
    }

    private static LimitingResource of(Repeat phase) {
        Document document = new Document(
                Qualification.KIND,
                new Provenance(
                        new Tool("1", null),
                        "",
                        "",
                        "",
                        Map.of(),
                        new Environment(
                                new Environment.Processor("cpu", 2, 2, null, null),
                                null,
                                new Environment.Software("os", "6", "25", null),
                                List.of(),
                                null)),
                true,
                Map.of(PhaseVerdict.TARGET_IOPS.key(), TARGET),
                List.of(),
                List.of());
        return LimitingResource.of(document, phase);
    }

    @ParameterizedTest
    @CsvSource({
        // loop, I/O, cores, this tool, log, database, waits, the resource
        "open,   99,  95, 90, 95, 95, 90, rate",
        "open,   98,  95, 90, 95, 95, 90, driver",
        "closed, 99,  95, 90, 95, 95, 90, driver",
        "closed, 99,  95, 40, 95, 95, 90, cpu",
        "closed, 99,  89, 80, 95, 95, 90, log_volume",
        "closed, 99,  89, 80, 89, 95, 90, database_volume",
        "closed, 99,  89, 80, 70, 60, 50, database_volume",
        "closed, 99,  89, 80, 70, 60, 49, cpu",
        "closed, 99,  50, 40, 70, 60, 49, log_volume",
        "closed, 99,  50, 40, 50, 60, 49, database_volume"
    })
    void theFirstRuleThatHolds(
            String loop,
            int io,
            int cores,
            int tool,
            int log,
            int database,
            int waits,
            String resource) {
        assertThat(of(phase(loop, io, cores, tool, log, database, waits)).name())
                .isEqualTo(resource);
    }

    @Test
    void theReasonHasTheFigures() {
        assertThat(of(phase("closed", 99, 50, 40, 10, 95, 10)).reason())
                .isEqualTo("a request of sda (database) was under way 95 % of the time; 2.9 were in"
                        + " flight on average: the device is saturated");
        assertThat(of(phase("closed", 99, 50, 40, 10, 20, 80)).reason())
                .isEqualTo("no device was busy all the time; the threads of the transactions waited"
                        + " 80 % of theirs for reads of the databases");
        assertThat(of(phase("closed", 99, 50, 40, 10, 20, 10)).reason())
                .isEqualTo("nothing was used up: cpu 50 %, log volume 10 %, database volume 20 %"
                        + " busy; this came nearest");
    }

    @Test
    void whereNothingIsKnownNothingLimits() {
        assertThat(of(Repeat.counted().made())).isEqualTo(new LimitingResource(null, null, null));
    }
}
