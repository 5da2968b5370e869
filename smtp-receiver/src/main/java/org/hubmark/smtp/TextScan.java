package org.hubmark.smtp;

/**
 * Skips text in which there is nothing to do, which is nearly all of a message. Two forms find the
 * same in different ways; {@link #best} takes the faster one of those that run here.
 *
 * <p>Stateless; any thread.
 */
public sealed interface TextScan permits VectorScan, WordScan {
    /**
     * Skips what holds no NUL, no CR without its LF, no LF without its CR and no dot behind a line
     * end. The octet at {@code start} must not follow a CR that still waits for its LF. Octets that
     * could be skipped may be left, at the end or before one that had to be looked at.
     *
     * @param eightBit whether octets above 127 are skipped too
     * @return the index of the first octet that was not skipped; never the LF of a CRLF
     */
    int plainLines(byte[] octets, int start, int end, boolean eightBit);

    /** {@return how it looks at octets, for people} */
    String description();

    /** {@return the form that runs on every JVM} */
    static TextScan words() {
        return new WordScan();
    }

    /**
     * {@return the fastest form that this JVM runs} Vectors are an incubating module of the JDK, in
     * the boot layer only where {@code --add-modules jdk.incubator.vector} asks for it; a class that
     * names them must not be loaded elsewhere. Only C2 makes instructions of them. What the others
     * do, an object for each vector, is slower than words by far.
     */
    static TextScan best() {
        boolean vectors = ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent()
                && compilesByC2()
                && VectorScan.isWide();
        return vectors ? new VectorScan() : words();
    }

    /** A client VM, and one told to compile by C1 only, calls itself a client one; Graal is JVMCI. */
    private static boolean compilesByC2() {
        String mode = System.getProperty("java.vm.info", "");
        return System.getProperty("java.vm.name", "").contains("Server VM")
                && !System.getProperty("java.vm.version", "").contains("jvmci")
                && !mode.contains("interpreted")
                && !mode.contains("emulated-client");
    }
}
