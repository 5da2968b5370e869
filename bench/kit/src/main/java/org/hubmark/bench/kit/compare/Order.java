package org.hubmark.bench.kit.compare;

import com.fasterxml.jackson.annotation.JsonValue;

import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Provenance;

/** How two results lie in time. A machine drifts, and a comparison takes that for a difference of the two. */
public enum Order {
    /** Parts of one result, whose rounds have both. */
    IN_TURN("measured in turn"),
    /** One was finished before the other began. */
    ONE_AFTER_THE_OTHER("measured one after the other"),
    /** Neither was. */
    OVERLAPPING("measured in overlapping times");

    private final String words;

    Order(String words) {
        this.words = words;
    }

    /** {@return how two documents lie in time; two of one begin and end are one} */
    static Order of(Document first, Document second) {
        Provenance a = first.provenance();
        Provenance b = second.provenance();
        if (a.startedAt().equals(b.startedAt()) && a.finishedAt().equals(b.finishedAt())) {
            return IN_TURN;
        }
        return a.finishedAt().compareTo(b.startedAt()) <= 0
                        || b.finishedAt().compareTo(a.startedAt()) <= 0
                ? ONE_AFTER_THE_OTHER
                : OVERLAPPING;
    }

    /** {@return a difference that was told, in words, with what speaks against it} */
    public String with(String told) {
        return this == IN_TURN ? told : told + " (" + words + ")";
    }

    /** {@return in words} */
    @JsonValue
    public String words() {
        return words;
    }
}
