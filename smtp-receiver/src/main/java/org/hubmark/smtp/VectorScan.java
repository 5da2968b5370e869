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
    public int plainLines(byte[] octets, int start, int end) {
        int at = start;
        if (end - at <= OCTETS || octets[at] == LF) {
            return at;
        }
        while (at + OCTETS < end) {
            long odd = oddPairs(octets, at);
            if (odd != 0) {
                at += Long.numberOfTrailingZeros(odd);
                break;
            }
            at += OCTETS;
        }
        // All pairs before were in order, so its CR is right before an LF.
        return octets[at] == LF ? at - 1 : at;
    }

    /**
     * {@return a bit for each octet that is a NUL, or that forms with the next one half a line end or
     * a line end and a dot} A second load costs less than to carry the last octet over from block to
     * block. And a method of its own is compiled after few messages, long before the loop around it
     * would be; until then each vector is an object.
     */
    private static long oddPairs(byte[] octets, int at) {
        ByteVector first = ByteVector.fromArray(SPECIES, octets, at);
        ByteVector next = ByteVector.fromArray(SPECIES, octets, at + 1);
        long cr = first.compare(VectorOperators.EQ, CR).toLong();
        long lf = first.compare(VectorOperators.EQ, LF).toLong();
        long nul = first.compare(VectorOperators.EQ, (byte) 0).toLong();
        long nextLf = next.compare(VectorOperators.EQ, LF).toLong();
        long nextDot = next.compare(VectorOperators.EQ, (byte) '.').toLong();
        return (cr ^ nextLf) | (lf & nextDot) | nul;
    }

    @Override
    public String description() {
        return "vectors of " + SPECIES.vectorBitSize() + " bits";
    }
}
