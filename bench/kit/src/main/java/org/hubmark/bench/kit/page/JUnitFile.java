package org.hubmark.bench.kit.page;

import org.hubmark.core.OutputFile;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;

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
public record JUnitFile(String suite, List<Case> cases) {
    /** Status of a verdict in JUnit. */
    public enum Status {
        /** All is well. */
        PASSED(""),
        /** What was judged is not good enough. */
        FAILURE("failure"),
        /** The measurement is not valid. */
        ERROR("error"),
        /** There is no verdict. */
        SKIPPED("skipped");

        private final String element;

        Status(String element) {
            this.element = element;
        }
    }

    /**
     * One verdict.
     *
     * @param name of what was judged, such as a scenario
     * @param text the verdict in one line; shown unless it passed
     */
    public record Case(String name, Status status, String text) {}

    /** Writes the file. */
    public void write(Path file) throws IOException {
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
            xml.writeAttribute("failures", count(Status.FAILURE));
            xml.writeAttribute("errors", count(Status.ERROR));
            xml.writeAttribute("skipped", count(Status.SKIPPED));
            for (Case one : cases) {
                write(one, xml);
            }
            xml.writeEndDocument();
            xml.close();
        } catch (XMLStreamException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private void write(Case one, XMLStreamWriter xml) throws XMLStreamException {
        xml.writeStartElement("testcase");
        xml.writeAttribute("classname", suite.replace(' ', '.'));
        xml.writeAttribute("name", one.name());
        if (one.status() != Status.PASSED) {
            xml.writeEmptyElement(one.status().element);
            xml.writeAttribute("message", one.text());
        }
        xml.writeEndElement();
    }

    private String count(Status status) {
        return String.valueOf(
                cases.stream().filter(one -> one.status() == status).count());
    }
}
