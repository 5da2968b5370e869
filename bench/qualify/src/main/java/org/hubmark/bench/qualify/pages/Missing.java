package org.hubmark.bench.qualify.pages;

import java.util.List;

/** Pages that an operation needs and the cache does not have. Nothing was changed yet. */
final class Missing extends Exception {
    private static final long serialVersionUID = 1;

    private final transient List<Long> pages;

    Missing(List<Long> pages) {
        super("pages " + pages, null, false, false);
        this.pages = List.copyOf(pages);
    }

    List<Long> pages() {
        return pages;
    }
}
