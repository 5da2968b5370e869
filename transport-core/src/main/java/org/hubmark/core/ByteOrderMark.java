package org.hubmark.core;

/** The mark that some editors put in front of a text in UTF-8; it is no part of the text. */
public final class ByteOrderMark {
    private static final String MARK = "\uFEFF";

    private ByteOrderMark() {}

    /** {@return the text without it} */
    public static String strip(String text) {
        return text.startsWith(MARK) ? text.substring(MARK.length()) : text;
    }
}
