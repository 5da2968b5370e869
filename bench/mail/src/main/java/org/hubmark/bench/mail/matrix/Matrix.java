package org.hubmark.bench.mail.matrix;

import org.hubmark.bench.kit.document.DocumentFile;
import org.hubmark.bench.mail.document.Results;
import org.hubmark.bench.mail.document.Scenario;
import org.hubmark.bench.mail.report.MailReport;
import org.hubmark.bench.mail.study.RunEstimate;
import org.hubmark.bench.mail.study.RunRequest;
import org.hubmark.bench.mail.study.ScenarioRequest;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The cells of a matrix as they are measured, and what an earlier run in the same folder has of them. */
public final class Matrix {
    private final RunRequest request;
    private final @Nullable Results earlier;
    private final List<Cell> unfinished;

    /**
     * Looks at what an earlier run left.
     *
     * @param scenarios a request of one for each cell, under the cell's id
     * @param cells all of them
     * @param extent settings with which an earlier run in the same folder may differ: they say how much is
     *     measured
     * @param folder of the results
     */
    public Matrix(
            RunRequest scenarios,
            List<Cell> cells,
            Set<String> extent,
            CellDevices devices,
            Path folder)
            throws IOException {
        this.earlier = DocumentFile.isIn(folder, MailReport.KIND)
                ? new Results(DocumentFile.read(folder, MailReport.KIND))
                : null;
        Set<String> left = scenarios.scenarios().stream()
                .filter(scenario -> scenarios.isUnfinished(scenario, known(scenario)))
                .map(ScenarioRequest::id)
                .collect(Collectors.toSet());
        this.unfinished =
                cells.stream().filter(cell -> left.contains(cell.id())).toList();
        this.request = scenarios.of(new RunRequest.Cells(extent, () -> {
            if (!left.isEmpty()) {
                devices.prepare(unfinished);
            }
        }));
    }

    private @Nullable Scenario known(ScenarioRequest scenario) {
        return earlier == null ? null : earlier.scenario(scenario.id()).orElse(null);
    }

    /** {@return it as it is measured} */
    public RunRequest request() {
        return request;
    }

    /** {@return how many repeats of the cells an earlier run has finished} */
    public int keptRepeats() {
        return request.scenarios().stream()
                .mapToInt(scenario -> request.kept(known(scenario)))
                .sum();
    }

    /** {@return the cells of which something is still to be measured} */
    public List<Cell> unfinished() {
        return unfinished;
    }

    /** {@return how long what is left takes, about, in words} */
    public String estimate() {
        return "takes about " + RunEstimate.text(RunEstimate.of(request, earlier));
    }
}
