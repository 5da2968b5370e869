package example

import org.assertj.core.api.Assertions.assertThat
import org.hubmark.testkit.HubExtension
import org.hubmark.testkit.HubOptions
import org.hubmark.testkit.ReceivedMessage
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.extension.RegisterExtension
import java.time.Duration

class RegistrationKotlinTest {
    @JvmField
    @RegisterExtension
    val extension: HubExtension = HubExtension.with(HubOptions.defaults().durability("synced"))

    @Test
    fun `welcomes a user`() {
        val hub = extension.hub()
        Registration(hub.host(), hub.port()).register("ada@example.org")

        hub.await(1).first().assertThat().isTo("ada@example.org").hasSubject("Welcome")
    }

    @Test
    fun `a deferred delivery comes when its time has come`() {
        val hub = extension.hub()
        hub.clock().stop()
        hub.faults().deferDelivery(1, "the destination is busy")
        Registration(hub.host(), hub.port()).register("ada@example.org")
        // The delivery that is put off may begin at any moment, and its time counts from then on.
        val comes = { messages: List<ReceivedMessage> ->
            hub.clock().advance(Duration.ofMinutes(5))
            messages.isNotEmpty()
        }
        hub.await("the message that was put off", { comes(it) }, Duration.ofSeconds(10))
        assertThat(hub.await(1)).hasSize(1)
    }
}
