package org.hubmark.bench.mail.document;

/**
 * Why a result is not valid, or less certain than it looks.
 *
 * @param words a sentence, with the figures
 */
public record Reason(Case code, String words) {
    /** {@return the same, found in a part of the result} */
    public Reason in(String part) {
        return new Reason(code, part + ": " + words);
    }

    /** {@return what is equal for reasons that differ in figures alone} */
    public Object alike() {
        return code == Case.MAIL || code == Case.FAILED || code == Case.OTHER ? words : code;
    }
}
