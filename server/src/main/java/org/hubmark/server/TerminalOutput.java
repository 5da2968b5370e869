package org.hubmark.server;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * Standard output or standard error. Text of others, as a server's reply or a name in a file, can't steer
 * the terminal by it: of control characters only those pass that part lines and columns, and where it is
 * a terminal the codes of colours and the one that erases a line. Each is looked for within what is
 * written at once. Any thread, by the lock of the stream around it.
 */
final class TerminalOutput extends FilterOutputStream {
    /** Octets of UTF-8: 0xc2 is the first of the control characters from 0x80 to 0x9f. */
    private static final String CONTROL =
            "[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1a\\x1c-\\x1f\\x7f]|\\xc2[\\x80-\\x9f]|\\x1b";

    private static final Pattern MASKED = Pattern.compile(CONTROL);
    private static final Pattern MASKED_ON_TERMINAL =
            Pattern.compile(CONTROL + "(?!\\[[0-9;]{0,13}[mK])");

    private final Pattern masked;

    TerminalOutput(OutputStream out, boolean terminal) {
        super(out);
        masked = terminal ? MASKED_ON_TERMINAL : MASKED;
    }

    /** Puts one in front of standard output and of standard error. */
    static void guard() {
        System.setOut(guarded(FileDescriptor.out, 1, System.out));
        System.setErr(guarded(FileDescriptor.err, 2, System.err));
    }

    private static PrintStream guarded(FileDescriptor descriptor, int number, PrintStream given) {
        return new PrintStream(
                new TerminalOutput(
                        new FileOutputStream(descriptor), link(number).matches("/dev/(pts|tty).*")),
                true,
                given.charset());
    }

    /** {@return what a descriptor of this process is open on; empty where that isn't known} */
    private static String link(int number) {
        try {
            return Files.readSymbolicLink(Path.of("/proc/self/fd/" + number)).toString();
        } catch (IOException e) {
            return "";
        }
    }

    /**
     * {@return the exit code of a command, which has failed when standard output could not be written}
     * Of a reader that has gone nobody needs to hear.
     */
    static int written(int code) {
        if (!System.out.checkError()) {
            return code;
        }
        if (!link(1).startsWith("pipe:")) {
            System.err.println("hubmark: can't write to standard output; the output is incomplete");
        }
        return code == 0 ? 1 : code;
    }

    @Override
    public void write(byte[] octets, int from, int length) throws IOException {
        String text = new String(octets, from, length, StandardCharsets.ISO_8859_1);
        out.write(masked.matcher(text).replaceAll("?").getBytes(StandardCharsets.ISO_8859_1));
    }

    @Override
    public void write(int octet) throws IOException {
        write(new byte[] {(byte) octet}, 0, 1);
    }
}
