package org.hubmark.bench.results.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** What the environment of a results file tells of machine, disks, JVMs and network, one fact a line. */
final class Disclosed {
    private final List<Sheet.Fact> facts = new ArrayList<>();

    private Disclosed() {}

    /** {@return the facts of driver's and server's machine; none where nobody looked} */
    static List<Sheet.Fact> facts(JsonNode results) {
        Disclosed disclosed = new Disclosed();
        JsonNode environment = results.path("environment");
        JsonNode server = results.path("server_environment");
        disclosed.addMachine("", environment);
        disclosed.addMachine("server's machine, ", server);
        if (!server.isObject()
                && environment.at("/disclosure/server_on_this_machine").isBoolean()
                && !environment.at("/disclosure/server_on_this_machine").asBoolean()) {
            disclosed.add("server's machine", MissingNode.getInstance());
        }
        return disclosed.facts;
    }

    private void addMachine(String whose, JsonNode environment) {
        JsonNode disclosure = environment.path("disclosure");
        if (!disclosure.isObject()) {
            return;
        }
        disclosure.properties().forEach(one -> {
            // Of the machine of a server it goes without saying, as it has no driver.
            if (whose.isEmpty() || !(one.getValue().isNull() || one.getValue().isBoolean())) {
                add(whose + one.getKey(), one.getValue());
            }
        });
        for (JsonNode volume : environment.path("volumes")) {
            String role = whose + volume.path("role").asText() + " volume";
            add(role + ", counts writes", volume.path("counts_writes"));
            add(role + ", storage", volume.path("storage"));
        }
    }

    private void add(String name, JsonNode value) {
        String words = name.replace('_', ' ');
        if (value.isObject()) {
            value.properties().forEach(one -> add(name + ", " + one.getKey(), one.getValue()));
        } else if (value.isArray() && value.path(0).isObject()) {
            value.forEach(one -> add(name, one));
        } else if (value.isArray()) {
            String all = StreamSupport.stream(value.spliterator(), false)
                    .map(JsonNode::asText)
                    .collect(Collectors.joining(" "));
            facts.add(new Sheet.Fact(words, new TableCell(all.isEmpty() ? "none" : all, true)));
        } else {
            // As it is: texts of the kernel are no words of ours.
            facts.add(new Sheet.Fact(
                    words,
                    value.isTextual()
                            ? new TableCell(value.asText(), true)
                            : TableCell.of(value, null)));
        }
    }
}
