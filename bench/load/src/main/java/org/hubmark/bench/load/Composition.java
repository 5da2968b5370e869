package org.hubmark.bench.load;

/**
 * What generated messages are made of.
 *
 * @param attachments whether text or an attachment fills them
 * @param compressibility what deflate takes away from that, as a share of it
 */
public record Composition(Attachments attachments, double compressibility) {
    /** Text that deflate halves, as it does with much of written mail. */
    public static final Composition DEFAULT = new Composition(Attachments.NONE, 0.5);

    /** Checks the share, as far as it can be had. */
    public Composition {
        if (!(compressibility >= least(attachments) && compressibility <= most(attachments))) {
            throw new IllegalArgumentException(Math.round(100 * compressibility)
                    + "% can't be had: " + Math.round(100 * least(attachments)) + "% to "
                    + Math.round(100 * most(attachments)) + "%");
        }
    }

    /** A letter of 64 takes 6 bits of 8, however random; text has blanks as well. */
    private static double least(Attachments attachments) {
        return switch (attachments) {
            case NONE -> 0.35;
            case BASE64 -> 0.3;
            case BINARY -> 0;
        };
    }

    private static double most(Attachments attachments) {
        return switch (attachments) {
            // Some fifty words in random order can't be told in less.
            case NONE -> 0.7;
            case BASE64, BINARY -> 0.95;
        };
    }
}
