package org.hubmark.core;

/** A constant of an enum that is stored under a number, which stays when the enum changes. */
public interface Coded {
    /** {@return the number} */
    int code();

    /**
     * {@return the constant with a number}
     *
     * @throws IllegalArgumentException if there is none
     */
    static <T extends Enum<T> & Coded> T of(Class<T> type, int code) {
        for (T constant : type.getEnumConstants()) {
            if (constant.code() == code) {
                return constant;
            }
        }
        throw new IllegalArgumentException("no " + type.getSimpleName() + " has the code " + code);
    }
}
