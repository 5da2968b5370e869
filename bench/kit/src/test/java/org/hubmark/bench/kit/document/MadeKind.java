package org.hubmark.bench.kit.document;

import org.hubmark.bench.kit.page.Charts;

import java.util.List;
import java.util.Map;
import java.util.Set;

/** Kinds of documents with tables alone, which are always valid. */
public final class MadeKind {
    private MadeKind() {}

    /** {@return one of these tables} */
    public static Kind of(String name, Form... forms) {
        return new Kind(
                name,
                name + ".json",
                List.of(),
                List.of(forms),
                Set.of(),
                document -> Findings.of(name, "", List.of(), List.of(), Map.of()),
                document -> List.of(),
                document -> new Charts(List.of()));
    }
}
