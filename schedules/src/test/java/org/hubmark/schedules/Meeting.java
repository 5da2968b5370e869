package org.hubmark.schedules;

/** Threads that meet; what they promise is checked at the end. It fails by what it throws. */
public interface Meeting {
    /** Runs once, from nothing to its end. Every thread that it starts has ended when it returns. */
    void run() throws Exception;
}
