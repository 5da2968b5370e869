package org.hubmark.bench.users.imap;

import java.util.List;

/** A value in a response. */
public sealed interface ImapValue {
    /**
     * An atom, a number, a quoted string or a literal.
     *
     * @param value its octets, each as a character of ISO 8859-1
     */
    record Text(String value) implements ImapValue {}

    /** Values in parentheses. */
    record Items(List<ImapValue> values) implements ImapValue {
        /** Copies. */
        public Items {
            values = List.copyOf(values);
        }
    }

    /** The atom NIL. */
    record Nil() implements ImapValue {}

    /** {@return the text, or nothing of what is none} */
    default String text() {
        return this instanceof Text text ? text.value() : "";
    }

    /** {@return what stands in the parentheses, or nothing of what has none} */
    default List<ImapValue> items() {
        return this instanceof Items items ? items.values() : List.of();
    }
}
