package org.hubmark.smtp;

import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Looks at as many octets at once as the processor has room for, each beside the one that follows.
 * Loaded only where {@link TextScan#best} has found the Vector API.
 */
final class VectorScan implements TextScan {
    private static final VectorSpecies<Byte> SPECIES = ByteVector.SPECIES_PREFERRED;
    private static final int OCTETS = SPECIES.length();

    /** AVX2 and AVX-512 were measured. Of narrower ones nobody knows that they beat words. */
    private static final int OCTETS_MIN = 32;

    private static final byte CR = '\r';
    private static final byte LF = '\n';

    /** {@return whether the processor's vectors are wide enough to be faster than words} */
    static boolean isWide() {
        return OCTETS >= OCTETS_MIN;
    }

    @Override
    public int plainLines(byte[] octets, int start, int end, boolean eightBit) {
        int at = start;
        if (end - at <= OCTETS + 1 || octets[at] == LF) {
            return at;
        }
        while (at + OCTETS + 1 < end) {
            long odd = odd(octets, at, eightBit);
            if (odd != 0) {
                at += Long.numberOfTrailingZeros(odd);
                break;
            }
            at += OCTETS;
        }
        // All before was in order, so its CR is right before an LF.
        return octets[at] == LF ? at - 1 : at;
    }

    /**
     * {@return a bit for each octet that is a NUL or too high, or that forms with the next one half a
     * line end, or with the next two a line end and a dot} Further loads cost less than to carry the
     * last octets over from block to block, and one comparison finds both NUL and what is negative. And
     * a method of its own is compiled after few messages, long before the loop around it would be; until
     * then each vector is an object.
     */
    private static long odd(byte[] octets, int at, boolean eightBit) {
        ByteVector first = ByteVector.fromArray(SPECIES, octets, at);
        ByteVector second = ByteVector.fromArray(SPECIES, octets, at + 1);
        ByteVector third = ByteVector.fromArray(SPECIES, octets, at + 2);
        long cr = first.compare(VectorOperators.EQ, CR).toLong();
        long lf = second.compare(VectorOperators.EQ, LF).toLong();
        long dot = third.compare(VectorOperators.EQ, (byte) '.').toLong();
        long alone = eightBit
                ? first.compare(VectorOperators.EQ, (byte) 0).toLong()
                : first.compare(VectorOperators.LE, (byte) 0).toLong();
        return (cr ^ lf) | (cr & dot) | alone;
    }

    @Override
    public String description() {
        return "vectors of " + SPECIES.vectorBitSize() + " bits";
    }
}
