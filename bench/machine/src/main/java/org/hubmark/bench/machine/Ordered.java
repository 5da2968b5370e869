package org.hubmark.bench.machine;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/** A map that cannot change and keeps its keys in order, so that two files can be compared by eye. */
final class Ordered {
    private Ordered() {}

    static <V> Map<String, V> copy(Map<String, V> map) {
        return Collections.unmodifiableMap(new TreeMap<>(map));
    }
}
