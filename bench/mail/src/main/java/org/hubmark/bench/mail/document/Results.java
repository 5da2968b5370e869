package org.hubmark.bench.mail.document;

import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.MachineSections;
import org.hubmark.bench.kit.document.Provenance;
import org.hubmark.bench.kit.document.RawFile;
import org.hubmark.bench.kit.document.Table;
import org.hubmark.bench.machine.Environment;
import org.hubmark.bench.machine.watch.TargetWatch;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Optional;

/** All that a run found: a document, with what it says beside its rows. */
public record Results(Document document) {
    /** The name of the file in its folder. */
    public static final String FILE = "results.json";

    /** {@return one for each message size, in the order asked for} */
    public List<Scenario> scenarios() {
        Table table = document.table(MailDocument.SCENARIOS);
        return table.rows().stream().map(row -> new Scenario(table, row)).toList();
    }

    /** {@return with the driver's machine, which is the server's too unless that has one of its own} */
    public Provenance provenance() {
        return document.provenance();
    }

    /** {@return effects of the factors of a matrix; none of a run} */
    public List<FactorEffect> effects() {
        FactorEffect[] effects = document.fact(MailDocument.EFFECTS, FactorEffect[].class);
        return effects == null ? List.of() : List.of(effects);
    }

    /** {@return whether the rules of docs/run-rules.md were kept; null where nobody asked} */
    public @Nullable Publication publish() {
        return document.fact(MailDocument.PUBLISH, Publication.class);
    }

    /** {@return what was written while it was measured; none where they are not known} */
    public List<RawFile> rawFiles() {
        return document.rawFiles();
    }

    /** {@return how these were read; else null} */
    public @Nullable TargetWatch targetWatch() {
        return document.fact(MachineSections.WATCH, TargetWatch.class);
    }

    /** {@return the server's machine} */
    public Environment measured() {
        return MachineSections.measured(document);
    }

    /** {@return the scenario of that id, if there is one} */
    public Optional<Scenario> scenario(String id) {
        return scenarios().stream().filter(scenario -> scenario.id().equals(id)).findFirst();
    }
}
