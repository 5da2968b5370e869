package org.hubmark.bench.mail.matrix;

import org.hubmark.bench.hub.DataFolders;
import org.hubmark.bench.hub.HubSpec;
import org.hubmark.bench.kit.document.DocumentFile;
import org.hubmark.bench.machine.volumes.DirectFiles;
import org.hubmark.bench.machine.watch.TargetFacts;
import org.hubmark.bench.mail.document.Condition;
import org.hubmark.bench.mail.document.Conditions;
import org.hubmark.bench.mail.document.Results;
import org.hubmark.bench.mail.document.Scenario;
import org.hubmark.bench.mail.report.MailReport;
import org.hubmark.bench.mail.study.HubRequest;
import org.hubmark.bench.mail.study.RunEstimate;
import org.hubmark.bench.mail.study.RunRequest;
import org.hubmark.bench.mail.study.ScenarioRequest;
import org.hubmark.bench.mail.study.VolumeSource;
import org.hubmark.core.ByteSize;
import org.hubmark.hub.VolumeFolders;
import org.hubmark.hub.audit.AuditShare;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The cells of a matrix as scenarios, each with a hub and volumes of its own, and what an earlier run in
 * the same folder has of them. One thread.
 */
public final class Matrix {
    private final MatrixRequest request;
    private final Path folder;
    private final CellDevices devices;
    private final CellLoad load;
    private final @Nullable Results earlier;

    /**
     * Looks at what an earlier run left.
     *
     * @param folder of the results
     */
    public Matrix(MatrixRequest request, Path folder, CellDevices devices, CellLoad load)
            throws IOException {
        this.request = request;
        this.folder = folder;
        this.devices = devices;
        this.load = load;
        this.earlier = DocumentFile.isIn(folder, MailReport.KIND)
                ? new Results(DocumentFile.read(folder, MailReport.KIND))
                : null;
    }

    /** {@return how many repeats of the cells an earlier run has finished} */
    public int keptRepeats() {
        return request.cells().stream().mapToInt(this::kept).sum();
    }

    private int kept(Cell cell) {
        Scenario known = known(cell);
        return known == null
                ? 0
                : Math.min(known.repeats().size(), request.repeats().count());
    }

    private @Nullable Scenario known(Cell cell) {
        return earlier == null ? null : earlier.scenario(cell.id()).orElse(null);
    }

    /** {@return the cells of which something is still to be measured} */
    public List<Cell> unfinished() {
        return request.cells().stream().filter(this::isUnfinished).toList();
    }

    private boolean isUnfinished(Cell cell) {
        Scenario known = known(cell);
        return known == null
                || kept(cell) < request.repeats().count()
                || (request.extras().latencyAt() != null
                        && cell.rate().startsWith("max")
                        && known.latencyAt() == null);
    }

    /** {@return how long what is left takes, about, with making the volumes and preparing them} */
    public RunEstimate estimate() {
        return RunEstimate.of(request(), earlier)
                .plus(RunEstimate.writing(devices.preparedBytes(unfinished())));
    }

    /** {@return it as it is measured} */
    public RunRequest request() {
        return new RunRequest(
                        request.program(),
                        request.cells().stream().map(this::scenario).toList(),
                        request.repeats(),
                        request.times(),
                        TargetFacts.UNKNOWN,
                        request.sharedMachine(),
                        request.extras())
                .of(new RunRequest.Cells(request.extent(), () -> {
                    if (!unfinished().isEmpty()) {
                        devices.prepare(unfinished());
                    }
                }));
    }

    private ScenarioRequest scenario(Cell cell) {
        HubSpec spec = new HubSpec(
                        cell.deliver(),
                        cell.durability(),
                        cell.depthBytes(),
                        true,
                        request.hubSettings())
                .audited(request.extras().publish() == null ? AuditShare.SAMPLED : AuditShare.ALL);
        HubRequest hub = new HubRequest(
                new DataFolders(VolumeFolders.same(folder)), spec, Map.of(), cell.hub());
        ScenarioRequest scenario = load.of(cell, hub, conditions(cell));
        return new ScenarioRequest(
                cell.id(),
                ByteSize.format(cell.sizeBytes()),
                scenario.source(),
                hub,
                scenario.conditions(),
                planned -> new Ready(cell, planned));
    }

    private static Conditions conditions(Cell cell) {
        return Conditions.UNKNOWN
                .with(Condition.HUB, cell.hub() == null ? null : cell.hub().toString())
                .with(Condition.DURABILITY, cell.durability())
                .with(Condition.INTAKE, "store")
                .with(Condition.DELIVER, cell.deliver())
                .with(Condition.LAYOUT, cell.layout().toString())
                .with(
                        Condition.DEVICE_PROFILE,
                        cell.device() == null ? null : cell.device().toString())
                .with(Condition.CHECKPOINT_DEPTH_MB, cell.depthBytes() / 1e6)
                .with(Condition.ASKED_RATE, ScenarioRequest.rate(cell.rate()))
                .with(cell.safety());
    }

    /** The volumes of a cell, for one repeat. */
    private final class Ready implements VolumeSource.Ready {
        private final CellVolumes volumes;
        private final DataFolders folders;
        private final HubRequest hub;

        Ready(Cell cell, HubRequest planned) throws IOException {
            volumes = new CellVolumes(cell, devices, folder.resolve("emulation"));
            folders = new DataFolders(volumes.folders());
            hub = new HubRequest(
                    folders,
                    planned.spec().with(settings(cell, volumes.logDevice())),
                    volumes.environment(),
                    planned.installation());
        }

        @Override
        public HubRequest hub() {
            return hub;
        }

        @Override
        public void close() throws IOException {
            try {
                folders.close();
            } finally {
                volumes.close();
            }
        }
    }

    /**
     * Left to itself, a hub decides by a short trial at each start whether it writes its log past the page
     * cache. On an emulated device chance would decide, and repeats would differ by half. So the log of a
     * cell is written there as a hub does on such a device: past the page cache where a cache answers syncs.
     */
    private Map<String, String> settings(Cell cell, Path logDevice) throws IOException {
        Map<String, String> settings = new TreeMap<>(request.hubSettings());
        RoleProfiles device = cell.device();
        if (device != null) {
            boolean isDirect = device.log().cacheAnswers() && DirectFiles.arePossible(logDevice);
            settings.putIfAbsent("store.log.direct", isDirect ? "on" : "off");
        }
        return settings;
    }

    /** Knows how a cell is loaded. */
    @FunctionalInterface
    public interface CellLoad {
        /** {@return the scenario of a cell, under whatever id and title} */
        ScenarioRequest of(Cell cell, HubRequest hub, Conditions conditions);
    }
}
