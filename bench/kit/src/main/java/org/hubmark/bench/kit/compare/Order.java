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

    /** {@return how two documents lie in time} */
    public static Order of(Document first, Document second) {
        Provenance from = first.provenance();
        Provenance to = second.provenance();
        return of(from.startedAt(), from.finishedAt(), to.startedAt(), to.finishedAt());
    }

    /**
     * {@return how two results lie in time; two of one begin and end are one}
     *
     * @param begin of the first, ISO 8601, UTC; so the others
     */
    public static Order of(String begin, String end, String otherBegin, String otherEnd) {
        if (begin.equals(otherBegin) && end.equals(otherEnd)) {
            return IN_TURN;
        }
        return end.compareTo(otherBegin) <= 0 || otherEnd.compareTo(begin) <= 0
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
