package org.hubmark.bench.results.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;

import org.hubmark.bench.kit.document.JsonFile;
import org.hubmark.bench.machine.Disclosure;
import org.hubmark.bench.machine.Environment;
import org.hubmark.bench.machine.volumes.Volume;
import org.hubmark.bench.results.Results;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** What the environment of a results file tells of machine, disks, JVMs and network, one fact a line. */
final class Disclosed {
    private final List<Sheet.Fact> facts = new ArrayList<>();

    private Disclosed() {}

    /** {@return the facts of driver's and server's machine; none where nobody looked} */
    static List<Sheet.Fact> facts(Results results) {
        Disclosed disclosed = new Disclosed();
        Disclosure driver = results.environment().disclosure();
        Environment server = results.serverEnvironment();
        disclosed.addMachine("", results.environment());
        if (server != null) {
            disclosed.addMachine("server's machine, ", server);
        } else if (driver != null && !driver.serverOnThisMachine()) {
            disclosed.add("server's machine", MissingNode.getInstance());
        }
        return disclosed.facts;
    }

    private void addMachine(String whose, Environment environment) {
        if (environment.disclosure() == null) {
            return;
        }
        JsonFile.tree(environment.disclosure()).properties().forEach(one -> {
            // Of the machine of a server it goes without saying, as it has no driver.
            if (whose.isEmpty() || !(one.getValue().isNull() || one.getValue().isBoolean())) {
                add(whose + one.getKey(), one.getValue());
            }
        });
        for (Volume volume : environment.volumes()) {
            String role = whose + volume.role() + " volume";
            add(role + ", counts writes", JsonFile.tree(volume.countsWrites()));
            add(role + ", storage", JsonFile.tree(volume.storage()));
        }
    }

    private void add(String name, JsonNode value) {
        String words = name.replace('_', ' ');
        if (value.isObject()) {
            value.properties().forEach(one -> add(name + ", " + one.getKey(), one.getValue()));
        } else if (value.isArray() && !value.isEmpty() && value.get(0).isObject()) {
            value.forEach(one -> add(name, one));
        } else if (value.isArray()) {
            String all = StreamSupport.stream(value.spliterator(), false)
                    .map(JsonNode::asText)
                    .collect(Collectors.joining(" "));
            facts.add(new Sheet.Fact(words, new TableCell(all.isEmpty() ? "none" : all, true)));
        } else {
            // As it is: texts of the kernel are no words of ours.
            facts.add(new Sheet.Fact(words, TableCell.plain(value)));
        }
    }
}
