package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.kit.document.CaseResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

import java.nio.file.Path;
import java.util.List;

import javax.xml.parsers.DocumentBuilderFactory;

/** Proves the form on a parser, with text that would break XML if it were not escaped. */
class JUnitFileTest {
    @TempDir
    Path folder;

    @Test
    void hasACaseForEachVerdict() throws Exception {
        Path file = folder.resolve("verdicts.xml");
        new JUnitFile(
                        "hubmark run",
                        List.of(
                                new CaseResult("57kb valid", CaseResult.Status.PASSED, ""),
                                new CaseResult(
                                        "57kb not slower",
                                        CaseResult.Status.FAILURE,
                                        "worse: <B> & \"A\""),
                                new CaseResult(
                                        "80kb not slower", CaseResult.Status.SKIPPED, "noisy"),
                                new CaseResult("80kb valid", CaseResult.Status.ERROR, "lost")))
                .write(file);
        Element suites = DocumentBuilderFactory.newDefaultInstance()
                .newDocumentBuilder()
                .parse(file.toFile())
                .getDocumentElement();
        assertThat(suites.getTagName()).isEqualTo("testsuites");
        Element suite = (Element) suites.getFirstChild();
        assertThat(suite.getAttribute("name")).isEqualTo("hubmark run");
        assertThat(suite.getAttribute("tests")).isEqualTo("4");
        assertThat(suite.getAttribute("failures")).isEqualTo("1");
        assertThat(suite.getAttribute("errors")).isEqualTo("1");
        assertThat(suite.getAttribute("skipped")).isEqualTo("1");
        NodeList cases = suite.getElementsByTagName("testcase");
        assertThat(cases.getLength()).isEqualTo(4);
        assertThat(cases.item(0).getChildNodes().getLength()).isZero();
        Element failure = (Element) cases.item(1).getFirstChild();
        assertThat(failure.getTagName()).isEqualTo("failure");
        assertThat(failure.getAttribute("message")).isEqualTo("worse: <B> & \"A\"");
    }
}
