package org.hubmark.bench.cli;

import org.hubmark.bench.kit.document.CaseResult;
import org.hubmark.core.FileErrors;
import org.hubmark.core.OutputFile;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Option;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/**
 * Verdicts in the XML that build servers know from JUnit (the subset that Jenkins, GitLab and GitHub's
 * actions read: testsuites, testsuite, testcase with failure, error or skipped).
 */
final class JUnitOption {
    @Option(
            names = "--junit",
            paramLabel = "FILE",
            description = "File for the verdicts as JUnit XML.")
    private @Nullable Path file;

    /**
     * Writes the file, where one is wanted. Written without verdicts before anything is measured, it is known
     * to be writable, and has none of an earlier run.
     *
     * @param suite what gave the verdicts, such as "hubmark run"
     */
    void write(String suite, List<CaseResult> cases) {
        if (file == null) {
            return;
        }
        try {
            OutputFile.write(file, out -> write(suite, cases, out));
        } catch (IOException e) {
            throw UserError.failed(
                    "--junit " + file + " can't be written (" + FileErrors.reason(e) + ")");
        }
    }

    private static void write(String suite, List<CaseResult> cases, OutputStream out)
            throws IOException {
        try {
            XMLStreamWriter xml =
                    XMLOutputFactory.newDefaultFactory().createXMLStreamWriter(out, "UTF-8");
            xml.writeStartDocument("UTF-8", "1.0");
            xml.writeStartElement("testsuites");
            xml.writeStartElement("testsuite");
            xml.writeAttribute("name", suite);
            xml.writeAttribute("tests", String.valueOf(cases.size()));
            for (CaseResult one : cases) {
                xml.writeStartElement("testcase");
                xml.writeAttribute("classname", suite.replace(' ', '.'));
                xml.writeAttribute("name", one.name());
                if (one.status() != CaseResult.Status.PASSED) {
                    xml.writeEmptyElement(one.status().name().toLowerCase(Locale.ROOT));
                    xml.writeAttribute("message", one.text());
                }
                xml.writeEndElement();
            }
            xml.writeEndDocument();
            xml.close();
        } catch (XMLStreamException e) {
            throw new IOException(e.getMessage(), e);
        }
    }
}
