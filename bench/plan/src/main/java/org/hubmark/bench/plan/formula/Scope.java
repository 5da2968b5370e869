package org.hubmark.bench.plan.formula;

/** What the names in a formula stand for. */
public interface Scope {
    /** {@return a number; no number (NaN) where it isn't known} */
    double number(String name);

    /** {@return a curve; one without points where it isn't known} */
    Curve curve(String name);

    /** Told that a smallest or largest was taken without this, which isn't known. */
    void leftOut(String name);

    /** Told that a limit lies above the last point of a curve, so that more may be within it. */
    void beyond(String curve);

    /** Told that a limit lies below the first point of a curve. */
    void before(String curve);
}
