package org.hubmark.bench.cli;

import org.hubmark.bench.kit.document.CaseResult;
import org.hubmark.core.OutputFile;

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
 *
 * @param suite what gave the verdicts, such as "hubmark run"
 * @param cases one for each verdict
 */
record JUnitFile(String suite, List<CaseResult> cases) {
    /** Writes the file. */
    void write(Path file) throws IOException {
        OutputFile.write(file, this::writeTo);
    }

    private void writeTo(OutputStream out) throws IOException {
        try {
            XMLStreamWriter xml =
                    XMLOutputFactory.newDefaultFactory().createXMLStreamWriter(out, "UTF-8");
            xml.writeStartDocument("UTF-8", "1.0");
            xml.writeStartElement("testsuites");
            xml.writeStartElement("testsuite");
            xml.writeAttribute("name", suite);
            xml.writeAttribute("tests", String.valueOf(cases.size()));
            xml.writeAttribute("failures", count(CaseResult.Status.FAILURE));
            xml.writeAttribute("errors", count(CaseResult.Status.ERROR));
            xml.writeAttribute("skipped", count(CaseResult.Status.SKIPPED));
            for (CaseResult one : cases) {
                write(one, xml);
            }
            xml.writeEndDocument();
            xml.close();
        } catch (XMLStreamException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private void write(CaseResult one, XMLStreamWriter xml) throws XMLStreamException {
        xml.writeStartElement("testcase");
        xml.writeAttribute("classname", suite.replace(' ', '.'));
        xml.writeAttribute("name", one.name());
        if (one.status() != CaseResult.Status.PASSED) {
            xml.writeEmptyElement(one.status().name().toLowerCase(Locale.ROOT));
            xml.writeAttribute("message", one.text());
        }
        xml.writeEndElement();
    }

    private String count(CaseResult.Status status) {
        return String.valueOf(
                cases.stream().filter(one -> one.status() == status).count());
    }
}
