package org.hubmark.bench.machine;

import java.util.regex.Pattern;

/** Keeps passwords out of results, which everybody may read and which are published. Any thread. */
public final class Secrets {
    private static final String MASK = "***";

    /** Something said of a name, as in NAME=VALUE; that of a file is none. */
    private static final Pattern VALUE = Pattern.compile(
            "(?i)([\\w.-]*(?:passw(?:or)?d|secret|token|credential|key)(?![\\w.-]*file\\b)[\\w.-]*=)"
                    + "(?:\"[^\"]*\"|[^\\s'\"]*)");

    /** The same as an option and its argument; a key on a command line is a file as a rule. */
    private static final Pattern ARGUMENT = Pattern.compile(
            "(?i)(--?[\\w.-]*(?:passw(?:or)?d|secret|token|credential)(?![\\w.-]*file\\b)[\\w.-]*\\s+)"
                    + "(?:\"[^\"]*\"|[^\\s'\"-][^\\s'\"]*)");

    /** What a URL has before its host. */
    private static final Pattern URL = Pattern.compile("(://[^/\\s:@]+:)[^/\\s@]+(?=@)");

    private Secrets() {}

    /** {@return a command, or a part of one, in which what may be a secret is not to be read} */
    public static String masked(String command) {
        String text = VALUE.matcher(command).replaceAll("$1" + MASK);
        text = ARGUMENT.matcher(text).replaceAll("$1" + MASK);
        return URL.matcher(text).replaceAll("$1" + MASK);
    }
}
