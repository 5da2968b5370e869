package org.hubmark.core;

/**
 * Names one message in one queue, from before its content arrives until it has left.
 *
 * <p>Ids grow in the order in which they are handed out. The text form is what a 250 reply, a
 * Received field and every command show: 13 characters of Crockford's base 32 (no I, L, O, U), so
 * that it sorts like the number and can be read out over a telephone.
 *
 * @param value zero or more
 */
public record QueueId(long value) implements Comparable<QueueId> {
    private static final String DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    /** Characters of the text form. */
    public static final int TEXT_LENGTH = 13;

    /** Checks the value. */
    public QueueId {
        if (value < 0) {
            throw new IllegalArgumentException("a queue id is zero or more, not " + value);
        }
    }

    /**
     * Reads the text form.
     *
     * @throws IllegalArgumentException if the text is not a queue id; the message says what one
     *     looks like
     */
    public static QueueId parse(String text) {
        long value = text.length() == TEXT_LENGTH ? valueIn(text, 0) : -1;
        if (value < 0) {
            throw malformed(text);
        }
        return new QueueId(value);
    }

    /**
     * Reads the text form where it stands in a longer text, without making anything.
     *
     * @param from where it begins; may lie outside of the text
     * @return the value, or -1 if there is no queue id
     */
    public static long valueIn(CharSequence text, int from) {
        if (from < 0 || from > text.length() - TEXT_LENGTH) {
            return -1;
        }
        long value = 0;
        for (int i = from; i < from + TEXT_LENGTH; i++) {
            int digit = DIGITS.indexOf(Character.toUpperCase(text.charAt(i)));
            if (digit < 0 || value > Long.MAX_VALUE >> 5) {
                return -1;
            }
            value = value << 5 | digit;
        }
        return value;
    }

    @Override
    public int compareTo(QueueId other) {
        return Long.compare(value, other.value);
    }

    @Override
    public String toString() {
        char[] text = new char[TEXT_LENGTH];
        long rest = value;
        for (int i = TEXT_LENGTH - 1; i >= 0; i--) {
            text[i] = DIGITS.charAt((int) (rest & 31));
            rest >>>= 5;
        }
        return new String(text);
    }

    private static IllegalArgumentException malformed(String text) {
        return new IllegalArgumentException("'" + text
                + "' is not a queue id (13 characters of 0-9 and A-Z without I, L, O, U)");
    }
}
