package org.hubmark.hub.pressure;

/** Level of back pressure: how scarce the resources of a hub are. */
public enum PressureLevel {
    /** Mail is taken as it comes. */
    NORMAL(0),
    /** Replies to MAIL are held back, the longer it lasts the more. */
    MEDIUM(1),
    /** MAIL is refused with 452; what has begun goes on. */
    HIGH(2);

    private final int number;

    PressureLevel(int number) {
        this.number = number;
    }

    /** {@return what metrics say for it} */
    public int number() {
        return number;
    }
}
