package org.hubmark.bench.mail.document;

import com.fasterxml.jackson.annotation.JsonProperty;

import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Whether figures can be trusted. In the file it stands flat in what has them.
 *
 * @param reasons why not; empty when they can
 * @param cases what each of the reasons is
 */
public record Validity(
        boolean valid,
        @JsonProperty("invalid_reasons") List<String> reasons,
        @JsonProperty("invalid_cases") List<Case> cases) {
    /** They can. */
    public static final Validity FULL = of(List.of());

    /** Copies the lists; a file may leave out the cases. */
    public Validity {
        reasons = List.copyOf(reasons);
        cases = List.copyOf(
                cases == null || cases.isEmpty()
                        ? Collections.nCopies(reasons.size(), Case.OTHER)
                        : cases);
    }

    /** {@return that they can't for these reasons; that they can where there are none} */
    public static Validity of(List<Reason> found) {
        return new Validity(
                found.isEmpty(),
                found.stream().map(Reason::words).toList(),
                found.stream().map(Reason::code).toList());
    }

    /** {@return the same, not valid for more reasons} */
    public Validity invalid(List<Reason> more) {
        return of(Stream.concat(found().stream(), more.stream()).toList());
    }

    /** {@return each reason with what it is} */
    public List<Reason> found() {
        return IntStream.range(0, reasons.size())
                .mapToObj(i -> new Reason(cases.get(i), reasons.get(i)))
                .toList();
    }
}
