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

/**
 * Standard output or standard error. Text of others, as a server's reply or a name in a file, can't steer
 * the terminal by it: of control characters only those pass that part lines and columns, and where it is
 * a terminal the codes of colours and the one that erases a line. Any thread, by the lock of the stream around it.
 */
final class TerminalOutput extends FilterOutputStream {
    private static final int ESCAPE = 0x1b;
    private static final int DELETE = 0x7f;

    /** The first octet in UTF-8 of the control characters from 0x80 to 0x9f, and of others. */
    private static final int UPPER_CONTROL = 0xc2;

    private static final int CODE_OCTETS_MAX = 16;

    private final boolean terminal;
    /** An escape code, or the first octet of a character, of which the rest is to come. */
    private final StringBuilder begun = new StringBuilder();

    TerminalOutput(OutputStream out, boolean terminal) {
        super(out);
        this.terminal = terminal;
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
            System.err.println(
                    "hubmark: standard output can't be written; its contents are incomplete");
        }
        return code == 0 ? 1 : code;
    }

    @Override
    public void write(byte[] octets, int from, int length) throws IOException {
        int plain = from;
        for (int i = from; i < from + length; i++) {
            int octet = octets[i] & 0xff;
            boolean isPlain = begun.isEmpty()
                    && ((octet >= ' ' && octet != DELETE && octet != UPPER_CONTROL)
                            || octet == '\n'
                            || octet == '\r'
                            || octet == '\t');
            if (!isPlain) {
                out.write(octets, plain, i - plain);
                plain = i + 1;
                write(octet);
            }
        }
        out.write(octets, plain, from + length - plain);
    }

    @Override
    public void write(int octet) throws IOException {
        int one = octet & 0xff;
        if (begun.isEmpty()) {
            if (one == UPPER_CONTROL || (one == ESCAPE && terminal)) {
                begun.append((char) one);
            } else {
                boolean control = one < ' ' && one != '\n' && one != '\r' && one != '\t';
                out.write(control || one == DELETE ? '?' : one);
            }
            return;
        }
        begun.append((char) one);
        if (begun.charAt(0) == UPPER_CONTROL) {
            end(one >= 0xa0);
        } else if (one == 'm' || one == 'K') {
            end(begun.toString().matches("\u001b\\[[0-9;]*[mK]"));
        } else if (!((one == '[' && begun.length() == 2) || (one >= '0' && one <= ';'))
                || begun.length() > CODE_OCTETS_MAX) {
            end(false);
        }
    }

    private void end(boolean passes) throws IOException {
        if (passes) {
            out.write(begun.toString().getBytes(StandardCharsets.ISO_8859_1));
        } else {
            out.write('?');
        }
        begun.setLength(0);
    }
}
