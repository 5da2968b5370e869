package org.hubmark.bench.mail.report;

import org.hubmark.bench.mail.document.HubStudy;
import org.hubmark.bench.mail.document.Results;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The published hub study that results are shown beside: its rows, its four columns, and what has
 * to be known to read them.
 *
 * @param source who published it
 * @param rows in published order, with the published labels and decimals
 * @param columns the four published scenarios, in published order
 */
record PublishedStudy(
        String source,
        List<ScenarioRow> rows,
        List<HubStudy.Published> columns,
        List<HubStudy.Note> notes) {
    static PublishedStudy load() {
        HubStudy study = HubStudy.published();
        HubStudy.Source source = study.source();
        return new PublishedStudy(
                source.publisher() + ", " + source.product() + ", " + source.role()
                        + " throughput study (" + source.author() + ")",
                study.tableRows().stream()
                        .map(line -> new ScenarioRow(
                                Fields.named(line.field()), line.label(), line.decimals()))
                        .toList(),
                study.scenarios(),
                study.notes());
    }

    /**
     * {@return the study, with its columns where the results are of a hub of our own: it is what was
     * published of a hub, and says nothing of another server}
     */
    static PublishedStudy beside(Results results) {
        PublishedStudy study = load();
        return results.scenarios().stream().allMatch(Dimensions::isTarget)
                ? new PublishedStudy(study.source, study.rows, List.of(), List.of())
                : study;
    }

    /** {@return its rows, and before the cost on the whole machine what a message costs the server alone} */
    List<ScenarioRow> rowsOfOurs() {
        List<ScenarioRow> all = new ArrayList<>();
        for (ScenarioRow row : rows) {
            if (row.field().equals(Fields.COST)) {
                all.add(new ScenarioRow(
                        Fields.PROCESS_COST, "Msg Cost, server alone (MCyc/msg)", row.decimals()));
            }
            all.add(row);
        }
        return all;
    }

    /** {@return the short name of the storage of a column} */
    static String storage(HubStudy.Published column) {
        return column.machine().writeCachePolicy().batteryBacked() ? "SCSI+BBWC" : "SATA";
    }

    /** {@return what the source says of a field, if it says something} */
    Optional<String> note(Field field) {
        return notes.stream()
                .filter(note -> note.field().equals(field.key()))
                .map(HubStudy.Note::note)
                .findFirst();
    }
}
