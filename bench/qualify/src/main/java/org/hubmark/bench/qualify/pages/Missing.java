package org.hubmark.bench.qualify.pages;

/** What an operation needs and has not: a page, or places for new ones. Nothing was changed yet. */
final class Missing extends Exception {
    private static final long serialVersionUID = 1;

    private final long page;
    private final int places;

    private Missing(long page, int places) {
        super("page " + page + ", places " + places, null, false, false);
        this.page = page;
        this.places = places;
    }

    static Missing page(long number) {
        return new Missing(number, 0);
    }

    static Missing places(int count) {
        return new Missing(-1, count);
    }

    /** {@return the number of the page; below 0 where it is places that are missing} */
    long page() {
        return page;
    }

    int places() {
        return places;
    }
}
