package org.hubmark.smtp.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.util.List;

/** Proves that a name with several addresses fails with each of its addresses named. */
final class SeveralAddressesTest {
    private static IOException failure(IOException first, IOException second) throws IOException {
        return SmtpClient.ofAll(
                new InetAddress[] {
                    InetAddress.getByName("192.0.2.1"), InetAddress.getByName("192.0.2.2")
                },
                List.of(first, second));
    }

    @Test
    void eachAddressIsNamed() throws IOException {
        IOException all =
                failure(new ConnectException("refused"), new SocketTimeoutException("late"));
        assertThat(all)
                .isInstanceOf(ConnectException.class)
                .hasMessage("192.0.2.1: refused; 192.0.2.2: late")
                .satisfies(failed -> assertThat(failed.getSuppressed()).hasSize(2));
    }
}
