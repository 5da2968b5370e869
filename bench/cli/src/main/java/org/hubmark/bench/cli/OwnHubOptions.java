package org.hubmark.bench.cli;

import org.hubmark.bench.hub.DataFolders;
import org.hubmark.bench.hub.HubSpec;
import org.hubmark.bench.mail.document.Condition;
import org.hubmark.bench.mail.document.Conditions;
import org.hubmark.bench.mail.document.Safety;
import org.hubmark.bench.mail.study.HubRequest;
import org.hubmark.hub.IntakeKind;
import org.hubmark.hub.audit.AuditShare;
import org.hubmark.hub.delivery.DeliverySpec;
import org.hubmark.server.ServeCommand;
import org.hubmark.server.StoreOptions;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.util.Locale;
import java.util.Map;

/** The hub that run starts; none of this is for a server that is there already. */
final class OwnHubOptions {
    @Option(
            names = "--deliver",
            defaultValue = "discard",
            paramLabel = "WHERE",
            description = "Delivery of the mail; discard, hold, directory:DIR, smtp://HOST.")
    private DeliverySpec deliver;

    @Option(
            names = "--audit",
            defaultValue = "sampled",
            paramLabel = "sampled|all|off",
            description = "Delivered mail that is compared.")
    private AuditShare audit;

    @Mixin
    HubOption installations = new HubOption();

    @Mixin
    RunVolumes volumes = new RunVolumes();

    @Mixin
    private StoreOptions store = new StoreOptions();

    @Mixin
    CommonOptions.HubSettings settings = new CommonOptions.HubSettings();

    /** Checks what can be checked before anything is started. */
    void check() {
        ServeCommand.checkSettings(settings.given, store.intake());
    }

    /** {@return whether a volume is one that this process doesn't see as it was made} */
    boolean isEmulated() throws IOException {
        return EmulatedCommand.isNeeded(TestVolumesOption.USUAL, volumes.given());
    }

    /** {@return the hub} Claims its folders. */
    HubRequest request(DataFolders folders) throws IOException {
        folders.claim();
        HubSpec hub = new HubSpec(
                        deliver.toString(),
                        store.durability().toString(),
                        store.checkpointDepthBytes(),
                        store.intake() == IntakeKind.STORE,
                        settings.given)
                .audited(audit);
        return new HubRequest(folders, hub, Map.of(), null);
    }

    /** {@return what is known of the conditions before it runs} */
    Conditions conditions() {
        String durability = store.durability().toString();
        boolean stores = store.intake() == IntakeKind.STORE;
        return Conditions.UNKNOWN
                .with(Condition.DURABILITY, durability)
                .with(Condition.INTAKE, store.intake().name().toLowerCase(Locale.ROOT))
                .with(Condition.DELIVER, deliver.toString())
                .with(Condition.CHECKPOINT_DEPTH_MB, store.checkpointDepthBytes() / 1e6)
                .with(stores ? Safety.of(durability) : Safety.UNKNOWN);
    }
}
