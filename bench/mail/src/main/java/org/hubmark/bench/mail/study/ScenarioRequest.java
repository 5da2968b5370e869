package org.hubmark.bench.mail.study;

import org.hubmark.bench.hub.Installation;
import org.hubmark.bench.kit.document.Name;
import org.hubmark.bench.mail.document.Condition;
import org.hubmark.bench.mail.document.Conditions;
import org.hubmark.bench.mail.document.MailDocument;
import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.Map;

/**
 * One scenario to measure.
 *
 * @param id unique in the run
 * @param title for the progress line
 * @param source of the work; closed with the session
 * @param hub to start, or null to put the work on what the source names
 * @param conditions as far as they are known before; what the volumes tell is added where it is null
 * @param volumes of the hub, made ready for each repeat; null where they are there all the time, or none is
 *     ours
 */
public record ScenarioRequest(
        String id,
        String title,
        WorkloadSource source,
        @Nullable HubRequest hub,
        Conditions conditions,
        @Nullable VolumeSource volumes) {
    /** {@return the same under another id, on volumes that are made ready for it} */
    public ScenarioRequest on(String other, VolumeSource made) {
        return new ScenarioRequest(other, title, source, hub, conditions, made);
    }

    /** {@return where its row stands} */
    Map<Name, Object> row() {
        return MailDocument.id(id);
    }

    /** {@return the same with the hub of an installation or a checkout} */
    public ScenarioRequest of(Path installation) {
        return new ScenarioRequest(
                id + "_" + Installation.id(installation),
                title + ", hub " + installation,
                source,
                hub == null ? null : hub.of(installation),
                conditions.with(Condition.HUB, installation.toString()),
                volumes);
    }

    /** {@return a rate as it was asked for, as results have it: 1200 becomes 1200/s} */
    public static String rate(String asked) {
        return asked.matches("[0-9.]+") ? asked + "/s" : asked;
    }
}
