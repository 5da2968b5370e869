package org.hubmark.bench.kit.document;

import org.hubmark.bench.kit.page.Charts;
import org.hubmark.bench.kit.page.Section;

import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * Description of the documents of a study, stated once, in a constant. It suffices to read, check,
 * report and compare them.
 *
 * @param name of the study, as the command has it
 * @param file the name of the file
 * @param facts what a document says beside its tables, in the head of the file
 * @param forms of the tables
 * @param conditions settings that have to be alike in two documents that are compared
 * @param findings what follows from the tables
 * @param sections of the report beside the tables
 * @param charts of the report
 */
public record Kind(
        String name,
        String file,
        List<Name> facts,
        List<Form> forms,
        Set<String> conditions,
        Function<Document, Findings> findings,
        Function<Document, List<Section>> sections,
        Function<Document, Charts> charts) {}
