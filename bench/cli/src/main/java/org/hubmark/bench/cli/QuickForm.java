package org.hubmark.bench.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What {@code run --quick} stands for: a rough answer in half a minute. What is given beside it wins.
 */
final class QuickForm {
    static final String OPTION = "--quick";

    /** Start, warm-ups and measured time together take less than 30 s on two cores. */
    private static final Map<String, String> OPTIONS = new LinkedHashMap<>();

    static {
        OPTIONS.put("--sizes", "57KB");
        OPTIONS.put("--repeat", "2");
        OPTIONS.put("--duration", "3s");
        OPTIONS.put("--warmup", "2s");
        OPTIONS.put("--warmup-max", "5s");
        OPTIONS.put("--driver-warmup", "5s");
        OPTIONS.put("--latency-at", "off");
    }

    private static final String NO_CEILINGS = "--no-ceilings";

    private QuickForm() {}

    /** Puts the options that it stands for among the arguments, where it is one of them. */
    static String[] expand(String[] arguments) {
        List<String> all = new ArrayList<>(Arrays.asList(arguments));
        if (all.isEmpty() || !all.getFirst().equals("run") || !all.contains(OPTION)) {
            return arguments;
        }
        OPTIONS.forEach((name, value) -> {
            // Messages of other sizes are named by these.
            boolean other = name.equals("--sizes")
                    && (isGiven("--size-mix", arguments) || isGiven("--corpus", arguments));
            if (!other && !isGiven(name, arguments)) {
                all.add(name + "=" + value);
            }
        });
        if (!all.contains(NO_CEILINGS)) {
            all.add(NO_CEILINGS);
        }
        return all.toArray(String[]::new);
    }

    private static boolean isGiven(String name, String[] arguments) {
        return Arrays.stream(arguments)
                .anyMatch(one -> one.equals(name) || one.startsWith(name + "="));
    }
}
