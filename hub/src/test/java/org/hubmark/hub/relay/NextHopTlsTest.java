package org.hubmark.hub.relay;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.hub.delivery.DeliverySpec;
import org.hubmark.hub.delivery.NextHop;
import org.junit.jupiter.api.Test;

/**
 * How long a next hop at which a handshake hangs goes without. What is said to next hops before and behind STARTTLS is
 * in {@link NextHopDialogueTest}.
 */
final class NextHopTlsTest {
    @Test
    void aHandshakeThatHangsIsRememberedForAnHour() throws Exception {
        NextHopTls tls = NextHopTls.open(DeliverySpec.Tls.OPPORTUNISTIC, "");
        NextHop hop = new NextHop(NextHop.Protocol.SMTP, "mx.y.example", 25);
        long hourNanos = NextHopTls.STALL_KEPT.toNanos();
        assertThat(tls.stalls(hop, 0)).isFalse();
        tls.stalled(hop, 5);
        assertThat(tls.stalls(hop, hourNanos + 4)).isTrue();
        assertThat(tls.stalls(hop, hourNanos + 5)).isFalse();
        tls.stalled(hop, 5);
        tls.tryAgain(hop);
        assertThat(tls.stalls(hop, 6)).isFalse();
    }
}
