package org.hubmark.bench.users.compare;

import com.fasterxml.jackson.annotation.JsonValue;

/** What may be said of the second of two results of users. */
public enum UsersVerdict {
    /** It holds more users. */
    HOLDS_MORE("holds more"),
    /** It holds fewer. */
    HOLDS_FEWER("holds fewer"),
    /** The steps between the levels, or chance, leave it open. */
    NOT_TOLD_APART("not told apart"),
    /** One of them is not valid. */
    NOT_VALID("not valid");

    private final String text;

    UsersVerdict(String text) {
        this.text = text;
    }

    /** {@return in words} */
    @JsonValue
    public String text() {
        return text;
    }

    static UsersVerdict of(Held a, Held b, boolean valid) {
        if (!valid) {
            return NOT_VALID;
        }
        if (a.isSurelyBelow(b)) {
            return HOLDS_MORE;
        }
        return b.isSurelyBelow(a) ? HOLDS_FEWER : NOT_TOLD_APART;
    }
}
