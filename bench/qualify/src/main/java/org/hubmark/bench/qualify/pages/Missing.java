package org.hubmark.bench.qualify.pages;

import java.util.List;

/** What an operation needs and has not: pages, or places for new ones. Nothing was changed yet. */
final class Missing extends Exception {
    private static final long serialVersionUID = 1;

    private final transient List<Long> pages;
    private final int places;

    Missing(List<Long> pages, int places) {
        super("pages " + pages + ", places " + places, null, false, false);
        this.pages = List.copyOf(pages);
        this.places = places;
    }

    List<Long> pages() {
        return pages;
    }

    /** {@return how many places for new pages are missing} */
    int places() {
        return places;
    }
}
