package org.hubmark.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.util.Map;

/** Settings give what was set, else the default; what is wrong or unknown is named. */
class SettingsTest {
    @Test
    void givesDefaultsAndWhatWasSet() {
        Settings settings = new Settings(Map.of("a.timeout", "10s", "a.flag", "true"));
        assertThat(settings.duration("a.timeout", Duration.ofMinutes(5), "x")).hasSeconds(10);
        assertThat(settings.bytes("a.size", 65_536, "x")).isEqualTo(65_536);
        assertThat(settings.flag("a.flag", false, "x")).isTrue();
        assertThat(settings.count("a.count", 7, 1, 9, "x")).isEqualTo(7);
        assertThat(settings.text("a.text", "y", "x")).isEqualTo("y");
        settings.requireAllRead(Map.of());
        assertThat(settings.entries())
                .contains(
                        new Settings.Entry("a.timeout", "10s", "5m", "x"),
                        new Settings.Entry("a.size", "64KiB", "64KiB", "x"));
    }

    @Test
    void namesTheKeyOfAWrongValue() {
        Settings settings = new Settings(Map.of("a.count", "10", "a.flag", "yes"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settings.count("a.count", 7, 1, 9, "x"))
                .withMessage("setting a.count: '10' is not a whole number from 1 to 9");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settings.flag("a.flag", false, "x"))
                .withMessageContaining("a.flag");
    }

    @ParameterizedTest
    @CsvSource({
        "smtp.tiemout, unknown setting smtp.tiemout",
        "a.gone, setting a.gone is gone: set a.other"
    })
    void namesAKeyThatNobodyReadAndWhatTookItsPlace(String key, String words) {
        Settings settings = new Settings(Map.of(key, "1s", "z.unknown", "2"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settings.requireAllRead(Map.of("a.gone", "set a.other")))
                .withMessageContaining(words);
    }
}
