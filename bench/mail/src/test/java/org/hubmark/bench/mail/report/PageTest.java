package org.hubmark.bench.mail.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import static java.nio.charset.StandardCharsets.US_ASCII;

import org.awaitility.Awaitility;
import org.hubmark.bench.kit.document.DocumentReport;
import org.hubmark.bench.mail.Recorded;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.NotFoundException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.logging.Level;
import java.util.stream.Stream;

/**
 * Proves in a real browser, which can reach no other machine, that the page draws every plot without
 * an error, that figures unfold to their inputs, and that it fits a narrow screen, dark mode and
 * paper. Draws a made-up matrix. Skipped where there is no Chromium with its driver.
 */
class PageTest {
    @TempDir
    static Path folder;

    private static ChromeDriver browser;

    @BeforeAll
    static void open() throws IOException {
        File chromium = program("chromium", "chromium-browser", "google-chrome")
                .orElseGet(() -> abort("no chromium in PATH"));
        File driver = program("chromedriver").orElseGet(() -> abort("no chromedriver in PATH"));
        Recorded matrix = new Recorded("matrix", folder);
        matrix.set("/scenarios/0/repeats/0/valid", "false");
        matrix.set("/scenarios/0/repeats/0/invalid_reasons", "[\"the driver was slow\"]");
        DocumentReport.write(matrix.read().document(), folder);
        ChromeOptions options = new ChromeOptions();
        options.setBinary(chromium);
        options.addArguments(
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--disable-background-networking",
                "--no-first-run",
                "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
                "--user-data-dir=" + folder.resolve("profile"),
                "--window-size=1280,1000");
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        options.setCapability("goog:loggingPrefs", logs);
        browser = new ChromeDriver(
                new ChromeDriverService.Builder()
                        .usingDriverExecutable(driver)
                        .usingAnyFreePort()
                        .build(),
                options);
        browser.get(folder.resolve("report.html").toUri().toString());
    }

    @AfterAll
    static void close() {
        if (browser != null) {
            browser.quit();
        }
    }

    @ParameterizedTest(name = "{0}")
    @CsvFileSource(
            resources = "page.csv",
            delimiter = '|',
            quoteCharacter = '`',
            maxCharsPerColumn = 1000)
    void isDrawnSo(String what, int width, String script) {
        size(width);
        assertThat(browser.executeScript(script)).as(what).isEqualTo(true);
        assertThat(browser.manage().logs().get(LogType.BROWSER).getAll()).isEmpty();
    }

    @Test
    void aFoldedTimelineIsDrawnWhenItIsUnfolded() {
        size(1280);
        List<WebElement> folds = browser.findElements(By.cssSelector("details.fold:has(.plot)"));
        assertThat(folds).hasSize(6);
        WebElement last = folds.getLast();
        WebElement plot = last.findElement(By.className("plot"));
        assertThat(plot.findElements(By.tagName("svg"))).isEmpty();
        click(last.findElement(By.tagName("summary")));
        await(() -> marks(plot) > 8);
        click(last.findElement(By.tagName("summary")));
    }

    @Test
    void aFigureUnfoldsToItsFormulaAndInputs() {
        size(1280);
        WebElement fold = browser.findElement(By.cssSelector("td.ours details"));
        WebElement inputs = fold.findElement(By.className("unfolding"));
        assertThat(inputs.isDisplayed()).isFalse();
        click(fold.findElement(By.tagName("summary")));
        await(inputs::isDisplayed);
        assertThat(inputs.getText()).contains("repeat 1:").contains("of the repeats: median");
        click(fold.findElement(By.tagName("summary")));
    }

    @Test
    void followsDarkMode() {
        size(1280);
        String light = textColour();
        media("screen", "dark");
        try {
            await(() -> !textColour().equals(light));
            String ground = String.valueOf(browser.executeScript(
                    "return getComputedStyle(document.body).backgroundColor"));
            assertThat(ground).isEqualTo("rgb(17, 22, 28)");
        } finally {
            media("", "light");
        }
        await(() -> textColour().equals(light));
    }

    @Test
    void prints() {
        size(1280);
        Map<String, Object> pdf =
                browser.executeCdpCommand("Page.printToPDF", Map.of("printBackground", true));
        byte[] bytes = Base64.getDecoder().decode(String.valueOf(pdf.get("data")));
        assertThat(new String(bytes, 0, 5, US_ASCII)).isEqualTo("%PDF-");
        assertThat(bytes.length).isGreaterThan(50_000);
        media("print", "light");
        try {
            // A closed fold has nothing to say on paper.
            List<WebElement> folds =
                    browser.findElements(By.cssSelector("details.fold:has(.plot)"));
            assertThat(folds.getFirst().isDisplayed()).isTrue();
            assertThat(folds.getLast().isDisplayed()).isFalse();
            assertThat(browser.findElement(By.cssSelector("td.ours")).isDisplayed())
                    .isTrue();
        } finally {
            media("", "light");
        }
    }

    private static int marks(WebElement plot) {
        return plot.findElements(By.cssSelector("svg path, svg text")).size();
    }

    private static String textColour() {
        return String.valueOf(
                browser.executeScript("var t = document.querySelector('#plot-throughput svg text');"
                        + "return t ? t.getAttribute('fill') : ''"));
    }

    private static void media(String media, String scheme) {
        browser.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of(
                        "media",
                        media,
                        "features",
                        List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
    }

    /** Plots are drawn anew when the width has changed. */
    private static void size(int width) {
        if (browser.manage().window().getSize().getWidth() != width) {
            browser.manage().window().setSize(new Dimension(width, 1_000));
            await(() -> {
                Object drawn =
                        browser.executeScript("var p = document.querySelector('.plots .plot'), s ="
                                + " p.querySelector('svg');return s !== null &&"
                                + " Math.abs(s.getBoundingClientRect().width - p.clientWidth) < 2");
                return Boolean.TRUE.equals(drawn);
            });
        }
    }

    private static void click(WebElement element) {
        browser.executeScript("arguments[0].scrollIntoView({block: 'center'})", element);
        element.click();
    }

    private static void await(BooleanSupplier condition) {
        Awaitility.await()
                .pollInSameThread()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(50))
                .atMost(Duration.ofSeconds(60))
                .ignoreExceptionsInstanceOf(NotFoundException.class)
                .until(condition::getAsBoolean);
    }

    private static Optional<File> program(String... names) {
        String path = System.getenv().getOrDefault("PATH", "");
        return Stream.of(names)
                .flatMap(name -> Stream.of(path.split(File.pathSeparator, -1))
                        .map(folderName -> Path.of(folderName, name)))
                .filter(Files::isExecutable)
                .map(Path::toFile)
                .findFirst();
    }
}
