import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.hub.Hub;
import org.hubmark.testkit.SmtpDialogue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

class MailProgramTest {
    @TempDir
    Path volumes;

    @Test
    void getsEachMessage() throws Exception {
        BlockingQueue<String> received = new LinkedBlockingQueue<>();
        try (Hub hub = MailProgram.start(volumes, 0, received::add);
                SmtpDialogue client = SmtpDialogue.open(hub.address())) {
            client.send("ada@example.org", List.of("bob@example.org"), "Subject: hello\n\n");
            assertThat(received.poll(10, TimeUnit.SECONDS)).contains("Subject: hello");
        }
    }
}
