package org.hubmark.bench.machine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/** Proves on this machine that what has to be disclosed is read, and that passwords are not. */
class DisclosureTest {
    @TempDir
    Path root;

    @Test
    void whatIsThereStays() throws IOException {
        MachineFiles.write(root);
        Path file = root.resolve(MachineFiles.FILE);
        assertThat(Files.readString(file)).startsWith("==> /proc/version <==\nLinux");
        Files.writeString(file, "earlier");
        MachineFiles.write(root);
        assertThat(file).hasContent("earlier");
    }

    @Test
    void allowedCoresAreAListOfRanges() {
        assertThat(new ResourceLimits("0-2,5,8-9", null).cores()).containsExactly(0, 1, 2, 5, 8, 9);
        assertThat(new ResourceLimits(null, null).cores()).isEmpty();
        assertThat(ResourceLimits.of(ProcessHandle.current().pid()).cores()).isNotEmpty();
    }

    @Test
    void looksAtThisMachineAndItsLoopback() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            InetSocketAddress address =
                    new InetSocketAddress(server.getInetAddress(), server.getLocalPort());
            Disclosure told = Disclosure.of(address, null);
            assertThat(told.serverOnThisMachine()).isTrue();
            assertThat(Objects.requireNonNull(told.driverLimits()).allowedCores())
                    .isNotNull();
            assertThat(told.driverJvmOptions()).isNotEmpty();
            assertThat(told.serverJvmOptions()).isNull();
        }
        InetSocketAddress elsewhere = new InetSocketAddress(
                InetAddress.getByAddress(new byte[] {(byte) 192, 0, 2, 1}), 25);
        assertThat(Disclosure.isOwn(elsewhere)).isFalse();
        assertThat(Disclosure.of(null, null).serverOnThisMachine()).isTrue();
    }

    @Test
    void passwordsInCommandsAreMasked() {
        assertThat(Secrets.masked(
                        "./hubmark durability --server 'PASSWORD=s3 srv --db-password s3 -p 2'"))
                .isEqualTo(
                        "./hubmark durability --server 'PASSWORD=*** srv --db-password *** -p 2'");
        assertThat(Secrets.masked("API_TOKEN=\"a b\" x smtp://u:s3@host/ a.secret= k")) // and none
                .isEqualTo("API_TOKEN=*** x smtp://u:***@host/ a.secret=*** k");
        String files =
                "./hubmark load --auth-password-file=/p --password-file /p --tls-key /k --seed 1";
        assertThat(Secrets.masked(files)).isEqualTo(files);
    }
}
