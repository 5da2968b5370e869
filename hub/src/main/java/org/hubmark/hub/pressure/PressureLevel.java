package org.hubmark.hub.pressure;

/** Level of back pressure: how scarce the resources of a hub are. Metrics have the first as 0. */
public enum PressureLevel {
    /** Mail is taken as it comes. */
    NORMAL,
    /** Replies to MAIL are held back, the longer it lasts the more. */
    MEDIUM,
    /** MAIL is refused with 452; what has begun goes on. */
    HIGH
}
