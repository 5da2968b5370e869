package org.hubmark.bench.mail;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import org.hubmark.bench.machine.folders.Folders;
import org.hubmark.bench.mail.document.Results;
import org.hubmark.bench.mail.report.MailReport;
import org.hubmark.golden.GoldenFiles;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A recorded document of which a test changes what it wants, in a folder of its own. */
public final class Recorded {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final Path file;
    private final ObjectNode tree;

    /** Copies one of those that the golden files are made of. */
    public Recorded(String name, Path folder) throws IOException {
        Folders.copy(GoldenFiles.FOLDER.resolve(name), folder);
        file = folder.resolve(Results.FILE);
        tree = (ObjectNode) MAPPER.readTree(file.toFile());
    }

    /** Leaves the first scenario alone, with repeats like its first one that have these rates. */
    public void rates(double... rates) {
        ArrayNode scenarios = (ArrayNode) tree.path("scenarios");
        while (scenarios.size() > 1) {
            scenarios.remove(1);
        }
        ObjectNode first = (ObjectNode) tree.at("/scenarios/0/repeats/0");
        ArrayNode repeats = ((ObjectNode) scenarios.get(0)).putArray("repeats");
        for (double rate : rates) {
            ObjectNode repeat = repeats.addObject().setAll(first.deepCopy());
            repeat.put("repeat", repeats.size());
            ObjectNode counters = (ObjectNode) repeat.path("counters");
            double seconds = counters.path("measured_ns").asDouble() / 1e9;
            counters.put("accepted_msgs", rate * seconds);
        }
    }

    /** Adds copies of the last scenario, each of another size, until there are so many. */
    public void scenarios(int count) {
        ArrayNode all = (ArrayNode) tree.path("scenarios");
        for (int size = all.size(); size < count; size++) {
            ObjectNode copy = all.get(size - 1).deepCopy();
            all.add(copy.put("id", "of-" + size).put("message_size_kb", 100.0 * size));
        }
    }

    /** Changes a value of an object; one of each repeat where the path names none. */
    public void set(String pointer, String json) throws IOException {
        int end = pointer.lastIndexOf('/');
        JsonNode value = MAPPER.readTree(json);
        String key = pointer.substring(end + 1);
        if (end > 0) {
            ((ObjectNode) tree.at(pointer.substring(0, end))).set(key, value);
        } else if (end == 0) {
            tree.set(key, value);
        } else {
            for (JsonNode repeat : tree.at("/scenarios/0/repeats")) {
                ((ObjectNode) repeat).set(key, value);
            }
        }
    }

    /** {@return what it says now} */
    public Results read() throws IOException {
        Files.writeString(file, MAPPER.writeValueAsString(tree));
        return MailReport.read(file);
    }
}
